// Private endpoints in a subnet. Their DNS zones belong to the network's owner.

param prefix string
param location string
param subnetId string
param searchId string
param storageId string
param modelId string
param tags object

var targets = [
  {
    name: 'search'
    id: searchId
    group: 'searchService'
  }
  {
    name: 'storage'
    id: storageId
    group: 'blob'
  }
  {
    name: 'model'
    id: modelId
    group: 'account'
  }
]

resource endpoints 'Microsoft.Network/privateEndpoints@2024-05-01' = [for target in targets: {
  name: '${prefix}-${target.name}'
  location: location
  tags: tags
  properties: {
    subnet: {
      id: subnetId
    }
    privateLinkServiceConnections: [
      {
        name: target.name
        properties: {
          privateLinkServiceId: target.id
          groupIds: [
            target.group
          ]
        }
      }
    ]
  }
}]
