// The search service: tokens only, an identity of its own, semantic ranker, logs, and optional shared private links.

param name string
param location string
param tier string
param replicas int
param partitions int
param semanticPlan string
param publicAccess bool
param workspaceId string
param storageId string
param modelId string
param sharedPrivateLinks bool
param tags object

// Audience of tokens by cloud (learn.microsoft.com/azure/search/search-security-rbac)
var audiences = {
  AzureCloud: 'https://search.azure.com'
  AzureUSGovernment: 'https://search.azure.us'
  AzureChinaCloud: 'https://search.azure.cn'
}
var domains = {
  AzureCloud: 'search.windows.net'
  AzureUSGovernment: 'search.azure.us'
  AzureChinaCloud: 'search.azure.cn'
}

resource service 'Microsoft.Search/searchServices@2025-05-01' = {
  // checkov:skip=CKV_AZURE_208: three replicas unless the environment says otherwise (replicas of main.bicep)
  // checkov:skip=CKV_AZURE_209: three replicas unless the environment says otherwise (replicas of main.bicep)
  name: name
  location: location
  tags: tags
  sku: {
    name: tier
  }
  identity: {
    type: 'SystemAssigned'
  }
  properties: {
    replicaCount: replicas
    partitionCount: partitions
    hostingMode: 'default'
    disableLocalAuth: true
    publicNetworkAccess: publicAccess ? 'enabled' : 'disabled'
    networkRuleSet: {
      bypass: 'AzureServices'
      ipRules: []
    }
    semanticSearch: semanticPlan
  }
}

resource logs 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'logs'
  scope: service
  properties: {
    workspaceId: workspaceId
    logs: [
      {
        categoryGroup: 'allLogs'
        enabled: true
      }
    ]
    metrics: [
      {
        category: 'AllMetrics'
        enabled: true
      }
    ]
  }
}

resource toStorage 'Microsoft.Search/searchServices/sharedPrivateLinkResources@2025-05-01' = if (sharedPrivateLinks) {
  parent: service
  name: 'to-storage'
  properties: {
    privateLinkResourceId: storageId
    groupId: 'blob'
    requestMessage: 'Indexers read the documents'
  }
}

// One after the other: the service takes one change at a time
resource toModel 'Microsoft.Search/searchServices/sharedPrivateLinkResources@2025-05-01' = if (sharedPrivateLinks) {
  parent: service
  name: 'to-model'
  properties: {
    privateLinkResourceId: modelId
    groupId: 'openai_account'
    requestMessage: 'Skills and vectorizers ask for embeddings'
  }
  dependsOn: [
    toStorage
  ]
}

output id string = service.id
output name string = service.name
output principalId string = service.identity.principalId
output endpoint string = 'https://${service.name}.${domains[environment().name]}'
output audience string = audiences[environment().name]
