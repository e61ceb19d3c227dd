// Who may do what, each the least role for its calls (learn.microsoft.com/azure/search/search-security-rbac).
//
// An identity that only plans a production environment from its ledger needs one right there, on one index, which no
// template can grant since an index is no resource:
//   az role assignment create --assignee ID --role "Search Index Data Reader" \
//     --scope SEARCH_RESOURCE_ID/indexes/azsearch-ops-ledger

param searchName string
param storageName string
param modelName string
param searchPrincipalId string
param pipelinePrincipalId string

var searchServiceContributor = '7ca78c08-252a-4471-8644-bb5ff32d4ba0'
var searchIndexDataContributor = '8ebe5a00-799e-43f5-93ac-243d3dce84a7'
var searchIndexDataReader = '1407120a-92aa-4202-b7e9-c0e197c71c8f'
var storageBlobDataReader = '2a2b9908-6ea1-4ae2-8e65-a410df84e7d1'
var cognitiveServicesOpenAiUser = '5e0bd9bd-7b93-4f28-af87-19fc36ad61bd'

// Definitions and indexers; the ledger's documents; evaluations
var pipelineRoles = [
  searchServiceContributor
  searchIndexDataContributor
  searchIndexDataReader
]

resource search 'Microsoft.Search/searchServices@2025-05-01' existing = {
  name: searchName
}

resource storage 'Microsoft.Storage/storageAccounts@2024-01-01' existing = {
  name: storageName
}

resource model 'Microsoft.CognitiveServices/accounts@2024-10-01' existing = {
  name: modelName
}

resource pipelineOnSearch 'Microsoft.Authorization/roleAssignments@2022-04-01' = [for role in pipelineRoles: {
  name: guid(search.id, pipelinePrincipalId, role)
  scope: search
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', role)
    principalId: pipelinePrincipalId
    principalType: 'ServicePrincipal'
  }
}]

// Indexers read documents, skills and vectorizers ask the model: both as the search service itself
resource searchOnStorage 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(storage.id, searchPrincipalId, storageBlobDataReader)
  scope: storage
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', storageBlobDataReader)
    principalId: searchPrincipalId
    principalType: 'ServicePrincipal'
  }
}

resource searchOnModel 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(model.id, searchPrincipalId, cognitiveServicesOpenAiUser)
  scope: model
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', cognitiveServicesOpenAiUser)
    principalId: searchPrincipalId
    principalType: 'ServicePrincipal'
  }
}

// `doctor` asks the deployments whether they answer
resource pipelineOnModel 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(model.id, pipelinePrincipalId, cognitiveServicesOpenAiUser)
  scope: model
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', cognitiveServicesOpenAiUser)
    principalId: pipelinePrincipalId
    principalType: 'ServicePrincipal'
  }
}

// `evaluate` and the checks of a build list the documents
resource pipelineOnStorage 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(storage.id, pipelinePrincipalId, storageBlobDataReader)
  scope: storage
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', storageBlobDataReader)
    principalId: pipelinePrincipalId
    principalType: 'ServicePrincipal'
  }
}
