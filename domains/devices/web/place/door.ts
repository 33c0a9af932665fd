/** What the page of places shows of devices, fetched when it is opened. */
export const placeDevicesDoor = async () => ({ ...(await import('./place-devices.tsx')), ...(await import('./place-addable.tsx')), ...(await import('./place-plan.tsx')) })
