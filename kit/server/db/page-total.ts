/**
 * How many rows there are in all, for a page whose rows bring it by `count(*) over ()` as `total`. Past the last page no row does: then the first row is asked.
 * @param first reads the list from its beginning, one row
 */
export async function pageTotal<Row extends { total: number | string }>(rows: readonly Row[], page_index: number, first: () => Promise<readonly Row[]>): Promise<number> {
  const [row] = rows.length > 0 || page_index === 1 ? rows : await first()
  return Number(row?.total ?? 0)
}
