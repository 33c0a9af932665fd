import type { Known } from './known.ts'
import { all_schools, breachesOf } from './rules.ts'
import type { Breach } from './rules.ts'
import { lists, parse, textOf, walk } from './tree.ts'
import type { Tree } from './tree.ts'

/** What a cluster refuses of a migration: its definitions, and its statements as those of the product. A migration goes to all schools. */
export function breachesOfMigration(text: string, known: Known): Breach[] {
  return parse(text).flatMap(statement => [...ofDefinition(statement), ...breachesOf(statement, text, known, all_schools)])
}

function ofDefinition(statement: Tree): Breach[] {
  const found: Breach[] = []
  walk(statement, (kind, part) => {
    if (kind === 'CreateTrigStmt') found.push({ rule: 'tables have no triggers', what: textOf(part, 'trigname') })
    if (kind === 'Constraint' && lists(part, 'fk_del_set_cols').length > 0) found.push({ rule: 'on delete set null names no columns', what: textOf(part, 'conname') })
    if (kind === 'AccessPriv' && lists(part, 'cols').length > 0) found.push({ rule: 'rights are given on whole tables', what: textOf(part, 'priv_name') })
    return undefined
  })
  return found
}
