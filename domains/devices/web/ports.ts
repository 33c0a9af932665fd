/** What the screens of devices ask of the console, which knows accounts and sessions; filled at start. */
type DevicesPorts = {
  /** proof of the own password typed again, for one dangerous act; throws CallError */
  recheck: (password: string) => Promise<string>
}

let ports: DevicesPorts = { recheck: () => Promise.reject(new Error('the screens of devices are not connected')) }

/** Connects the screens of devices to the product; called once before anything renders. */
export function connectDevices(given: DevicesPorts): void {
  ports = given
}

/** The connected ports. */
export function devicesPorts(): DevicesPorts {
  return ports
}
