/** What the page of places shows of devices, fetched when it is opened. */
export const placeDevicesDoor = () => import('./place-devices.tsx')
