import { id } from '@kit/contract'

export const PlaceId = id('places.place')
