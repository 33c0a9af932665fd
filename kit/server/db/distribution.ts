import type { CatalogueTable } from './catalogue.ts'

/** Tables without a school that stay plain tables of the coordinator: every school writes them at once, and a reference table has one writer at a time. */
export const local_tables: readonly string[] = ['work']

/** Where the tables of the product lie on a Citus cluster, each list in the order in which the tables are made: what others refer to first. */
export type Distribution = {
  /** on every machine whole: they belong to no school */
  reference: string[]
  /** by `school_id`, all rows of a school on one machine; `school` is the first */
  distributed: string[]
  /** on the coordinator alone */
  local: string[]
}

/**
 * Reads from the catalogue where each table belongs: the first column of its primary key says it. Views and partitions follow the tables they are made of.
 * @throws Error that names a foreign key which no cluster takes: from a table that is everywhere to one of schools, or between one that stays and another
 */
export function planDistribution(catalogue: readonly CatalogueTable[]): Distribution {
  const tables = inKeyOrder(catalogue.filter(table => !table.is_view && table.partition_of === null))
  const places = new Map(tables.map(table => [table.name, placeOf(table)]))
  for (const { name, foreign_keys } of tables) {
    for (const key of foreign_keys) {
      const [from, to] = [places.get(name), places.get(key.table)]
      if (from !== to && !(from === 'distributed' && to === 'reference')) throw new Error(`foreign key ${key.name} goes from a ${from} table to a ${to} one`)
    }
  }
  const namesOf = (place: keyof Distribution) => tables.filter(({ name }) => places.get(name) === place).map(({ name }) => name)
  const distributed = namesOf('distributed')
  // The others are placed beside it.
  return { reference: namesOf('reference'), distributed: ['school', ...distributed.filter(name => name !== 'school')], local: namesOf('local') }
}

function placeOf({ name, primary_key }: CatalogueTable): keyof Distribution {
  if (primary_key[0] === 'school_id') return 'distributed'
  return local_tables.includes(name) ? 'local' : 'reference'
}

/** Tables after those they refer to; of two that refer to each other the first by name. */
function inKeyOrder(tables: readonly CatalogueTable[]): CatalogueTable[] {
  const left = new Map(tables.map(table => [table.name, table]))
  const ordered: CatalogueTable[] = []
  while (left.size > 0) {
    const free = [...left.values()].filter(({ name, foreign_keys }) => foreign_keys.every(key => key.table === name || !left.has(key.table)))
    for (const table of free.length > 0 ? free : [...left.values()].slice(0, 1)) {
      left.delete(table.name)
      ordered.push(table)
    }
  }
  return ordered
}
