// The identity of the pipelines. It has no secret: GitHub vouches for jobs that run in one of two environments,
// NAME (plan, build, evaluate) and NAME-promote (behind an approval). Subjects are pinned to environments, since a
// subject of pull requests would let the workflow of any pull request log in.
// It is one identity for both: no role of Azure's builds indexes and cannot move aliases. The approval is kept by
// GitHub, so both environments are for the main branch alone.

param prefix string
param location string
param repository string
param environmentName string
param tags object

// What GitHub's assertion is made for, by cloud (learn.microsoft.com/entra/workload-id)
var exchanges = {
  AzureCloud: 'api://AzureADTokenExchange'
  AzureUSGovernment: 'api://AzureADTokenExchangeUSGov'
  AzureChinaCloud: 'api://AzureADTokenExchangeChina'
}
var environments = [
  environmentName
  '${environmentName}-promote'
]

resource pipeline 'Microsoft.ManagedIdentity/userAssignedIdentities@2023-01-31' = {
  name: '${prefix}-pipeline'
  location: location
  tags: tags
}

// One after the other: an identity takes one change at a time
@batchSize(1)
resource credentials 'Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials@2023-01-31' = [for name in environments: {
  parent: pipeline
  name: 'github-${name}'
  properties: {
    issuer: 'https://token.actions.githubusercontent.com'
    subject: 'repo:${repository}:environment:${name}'
    audiences: [
      exchanges[environment().name]
    ]
  }
}]

output principalId string = pipeline.properties.principalId
output clientId string = pipeline.properties.clientId
