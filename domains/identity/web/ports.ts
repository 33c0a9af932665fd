/** A department as a tree picker takes it. */
export type DeptChoice = { value: string; title: string; children: DeptChoice[] }
/** A page of the console that somebody may or may not open. */
type PageChoice = { path: string; title: string }

/** Proves the own password typed again, for one dangerous act; answers its token. @throws CallError */
export type Recheck = (password: string) => Promise<string>

/** What the screens of identity ask of higher domains; the console fills it at start. */
export type IdentityPorts = {
  /** every department the reader sees; null when he may not see any */
  depts: () => Promise<DeptChoice[] | null>
  pages: () => PageChoice[]
}

let ports: IdentityPorts = { depts: () => Promise.resolve(null), pages: () => [] }

/** Connects the screens of identity to the product; called once before anything renders. */
export function connectIdentity(given: IdentityPorts): void {
  ports = given
}

/** The connected ports. */
export function identityPorts(): IdentityPorts {
  return ports
}
