/** What the screens of people ask of the console, which knows accounts and sessions; filled at start. */
type PeoplePorts = {
  /** proof of the own password typed again, for one dangerous act; throws CallError */
  recheck: (password: string) => Promise<string>
}

let ports: PeoplePorts = { recheck: () => Promise.reject(new Error('the screens of people are not connected')) }

/** Connects the screens of people to the product; called once before anything renders. */
export function connectPeople(given: PeoplePorts): void {
  ports = given
}

/** The connected ports. */
export function peoplePorts(): PeoplePorts {
  return ports
}
