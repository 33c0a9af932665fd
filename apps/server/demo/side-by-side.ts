/**
 * Parts of one transaction side by side: while one computes, the database answers another. None may go back to a savepoint, which would take the
 * others along. All have ended when this does, also when one has failed: nobody speaks in a transaction that is over.
 * @returns what each answers @throws what the first of them to fail threw
 */
export async function sideBySide<T extends readonly unknown[] | []>(parts: T): Promise<{ -readonly [P in keyof T]: Awaited<T[P]> }> {
  await Promise.allSettled(parts)
  return Promise.all(parts)
}
