/** What the address says about this visit, read once before anything renders. */
export type Visit = {
  /** the numeric id of `/{school_id}`, absent at the root */
  school_id: number | undefined
  /** the query as it came; it is gone from the address by the time anything renders */
  search: string
}

const LARGEST_ID = 2_147_483_647

/** The school named by `/{school_id}`; anything that cannot be a school id is the root. */
export function schoolIdOf(pathname: string): number | undefined {
  const id = Number(/^\/(\d{1,10})\/?$/.exec(pathname)?.[1])
  return id >= 1 && id <= LARGEST_ID ? id : undefined
}
