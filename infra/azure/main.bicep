// One environment: search service, documents, embedding model, and the identities that pipelines log in with.
//
//   az deployment group create --resource-group rg-search-prod --template-file infra/azure/main.bicep \
//     --parameters infra/azure/parameters/prod.json > outputs.json
//   azsearch-ops env from-outputs outputs.json
//
// Nothing here makes or prints a key: the service takes tokens only, and so do storage and the model's account.

targetScope = 'resourceGroup'

@description('Name of the environment: infra/environments/NAME.yaml, and the GitHub environments NAME and NAME-promote.')
@minLength(2)
@maxLength(12)
param environmentName string

@description('Region of everything.')
param location string = resourceGroup().location

@description('What the names of resources begin with; letters and digits.')
@minLength(2)
@maxLength(8)
param workload string

@description('OWNER/REPOSITORY whose workflows may log in.')
param repository string

@description('Tier of the search service. Candidates stand beside live, so the index quota must have room for both.')
@allowed([
  'basic'
  'standard'
  'standard2'
  'standard3'
])
param searchTier string = 'standard'

@description('Replicas: two keep queries answered during maintenance, three keep writes going too.')
@minValue(1)
@maxValue(12)
param replicas int = 3

@description('Partitions.')
@allowed([
  1
  2
  3
  4
  6
  12
])
param partitions int = 1

@description('Plan of the semantic ranker.')
@allowed([
  'disabled'
  'free'
  'standard'
])
param semanticPlan string = 'standard'

@description('Whether services are reached from the public network. Without it give subnetId, and have runners inside that network (the variable AZSEARCH_OPS_RUNNER).')
param publicAccess bool = false

@description('Subnet for private endpoints; empty for none.')
param subnetId string = ''

@description('Whether the search service reaches storage and model through shared private links. Each is approved by hand.')
param sharedPrivateLinks bool = false

@description('Container that holds the documents.')
param container string = 'documents'

@description('Embedding model, and its version.')
param embeddingModel string = 'text-embedding-3-small'
param embeddingModelVersion string = '1'

@description('Kind of the deployments. Not every region has Standard for every model.')
@allowed([
  'Standard'
  'DataZoneStandard'
  'GlobalStandard'
])
param embeddingSku string = 'Standard'

@description('Numbers in a vector, as the definitions want them.')
@minValue(256)
@maxValue(3072)
param embeddingDimensions int = 1536

@description('Thousands of tokens a minute for building and for questions: a build must not starve the questions. All deployments of a model share what a subscription has in a region, which is 350 to begin with.')
param bulkCapacity int = 250
param queryCapacity int = 50

@description('Whether commands ask before they write (environment file: protected).')
param protectedEnvironment bool = true

@description('Days that logs and deleted documents are kept.')
@minValue(7)
@maxValue(365)
param retentionDays int = 30

var suffix = uniqueString(resourceGroup().id, workload, environmentName)
var short = take('${workload}${environmentName}${suffix}', 24)
var tags = {
  workload: workload
  environment: environmentName
  managedBy: 'bicep'
}

module monitoring 'modules/monitoring.bicep' = {
  name: 'monitoring'
  params: {
    name: 'log-${workload}-${environmentName}'
    location: location
    retentionDays: retentionDays
    tags: tags
  }
}

module storage 'modules/storage.bicep' = {
  name: 'storage'
  params: {
    name: toLower(short)
    location: location
    container: container
    publicAccess: publicAccess
    retentionDays: retentionDays
    workspaceId: monitoring.outputs.workspaceId
    tags: tags
  }
}

module model 'modules/model.bicep' = {
  name: 'model'
  params: {
    name: 'oai-${workload}-${environmentName}-${suffix}'
    location: location
    modelName: embeddingModel
    modelVersion: embeddingModelVersion
    sku: embeddingSku
    bulkCapacity: bulkCapacity
    queryCapacity: queryCapacity
    publicAccess: publicAccess
    workspaceId: monitoring.outputs.workspaceId
    tags: tags
  }
}

module search 'modules/search.bicep' = {
  name: 'search'
  params: {
    name: 'srch-${workload}-${environmentName}-${suffix}'
    location: location
    tier: searchTier
    replicas: replicas
    partitions: partitions
    semanticPlan: semanticPlan
    publicAccess: publicAccess
    workspaceId: monitoring.outputs.workspaceId
    storageId: storage.outputs.id
    modelId: model.outputs.id
    sharedPrivateLinks: sharedPrivateLinks
    tags: tags
  }
}

module identities 'modules/identities.bicep' = {
  name: 'identities'
  params: {
    prefix: 'id-${workload}-${environmentName}'
    location: location
    repository: repository
    environmentName: environmentName
    tags: tags
  }
}

module roles 'modules/roles.bicep' = {
  name: 'roles'
  params: {
    searchName: search.outputs.name
    storageName: storage.outputs.name
    modelName: model.outputs.name
    searchPrincipalId: search.outputs.principalId
    pipelinePrincipalId: identities.outputs.principalId
  }
}

module privateEndpoints 'modules/private.bicep' = if (!empty(subnetId)) {
  name: 'private-endpoints'
  params: {
    prefix: 'pe-${workload}-${environmentName}'
    location: location
    subnetId: subnetId
    searchId: search.outputs.id
    storageId: storage.outputs.id
    modelId: model.outputs.id
    tags: tags
  }
}

// One to one with infra/environments/NAME.yaml: azsearch-ops env from-outputs
output environmentName string = environmentName
output searchEndpoint string = search.outputs.endpoint
output searchAudience string = search.outputs.audience
output apiVersion string = '2026-04-01'
output protectedEnvironment bool = protectedEnvironment
output storageConnection string = 'ResourceId=${storage.outputs.id};'
output storageContainer string = container
output openAiEndpoint string = model.outputs.endpoint
output bulkDeployment string = model.outputs.bulkDeployment
output queryDeployment string = model.outputs.queryDeployment
output embeddingModel string = embeddingModel
output embeddingDimensions int = embeddingDimensions

// For the variables of the GitHub environments NAME and NAME-promote, and for `doctor`
output clientId string = identities.outputs.clientId
output tenantId string = tenant().tenantId
output searchResourceId string = search.outputs.id
