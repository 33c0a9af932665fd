/** Proof of the own password typed again, for one dangerous act; throws CallError. */
export type Recheck = (password: string) => Promise<string>
