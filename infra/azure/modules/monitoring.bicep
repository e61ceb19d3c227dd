// Where the logs of all services go.

param name string
param location string
param retentionDays int
param tags object

resource workspace 'Microsoft.OperationalInsights/workspaces@2023-09-01' = {
  name: name
  location: location
  tags: tags
  properties: {
    sku: {
      name: 'PerGB2018'
    }
    retentionInDays: max(retentionDays, 30)
    features: {
      disableLocalAuth: true
    }
  }
}

output workspaceId string = workspace.id
