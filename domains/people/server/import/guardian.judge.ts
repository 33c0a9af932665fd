import type { Issue, Judgement } from '@campus/jobs/server'
import { peopleErrors } from '@campus/people/contract'
import { isSameName } from '@kit/contract/checks'
import { shownValue } from './field.ts'
import type { ParsedGuardian, ParsedStudent } from './student.parsed.ts'
import type { KnownLink, KnownPupil, StudentSnapshot } from './student.snapshot.ts'

type Change = Judgement['diff'][number]
type Holder = { user_id: string; user_name: string }

export const most_guardians = 6
const compulsory_stages: ReadonlySet<string> = new Set(['1', '2'])

/** Judges the guardians of a pupil's row against those he has (none for a new pupil). */
export function judgeGuardians(parsed: ParsedStudent, target: KnownPupil | null, links: readonly KnownLink[], snapshot: StudentSnapshot): { diff: Change[]; errors: Issue[] } {
  const diff: Change[] = []
  const errors: Issue[] = []
  for (const guardian of parsed.guardians) {
    const prefix = `p${guardian.slot}_`
    const link = links.find(one => one.mobile === guardian.mobile)
    const holder = snapshot.holders.get(guardian.mobile)
    errors.push(...holderIssues(guardian, { link, holder, id_owners: snapshot.id_owners }).map(issue => ({ ...issue, prop: prefix + issue.prop })))
    if (link) diff.push(...linkChanges(guardian, link, snapshot).map(change => ({ ...change, prop: prefix + change.prop })))
    else if (target) diff.push({ prop: `${prefix}mobile`, before: '', after: shownValue('mobile', guardian.mobile, undefined) })
  }
  const added = parsed.guardians.filter(guardian => !links.some(link => link.mobile === guardian.mobile)).length
  if (links.length + added > most_guardians) errors.push({ prop: 'p1_mobile', msg: `每名学生最多关联${most_guardians}名家长` })
  const stage = target ? target.stage : (parsed.class?.stage ?? null)
  if (parsed.guardians.length > 0 && losesGuardian(stage, links, parsed.guardians)) errors.push({ prop: 'p1_guardian', msg: '至少保留一名监护人' })
  return { diff, errors }
}

/** One mobile is one person (chapter 20 rule 16), and one identity number too. */
export function holderIssues(
  { user_name, mobile, id_idx }: Pick<ParsedGuardian, 'user_name' | 'mobile' | 'id_idx'>,
  known: { link: KnownLink | undefined; holder: Holder | undefined; id_owners: ReadonlyMap<string, string> },
): Issue[] {
  const { link, holder, id_owners } = known
  if (link && link.mobile === mobile && !isSameName(link.user_name, user_name)) return [{ prop: 'mobile', msg: '家长手机号与姓名不符' }]
  if (holder && !isSameName(holder.user_name, user_name)) return [{ prop: 'mobile', msg: peopleErrors.mobileTaken.msg }]
  const owner = id_idx === null ? undefined : id_owners.get(id_idx)
  return owner !== undefined && owner !== holder?.user_id ? [{ prop: 'id_no', msg: peopleErrors.idNoTaken.msg }] : []
}

/** Pupils of primary and junior school keep a guardian (rule 17). */
export function losesGuardian(stage: string | null, links: readonly KnownLink[], said: readonly { mobile: string; is_guardian: boolean }[]): boolean {
  if (stage === null || !compulsory_stages.has(stage)) return false
  const kept = links.filter(link => link.is_guardian && !said.some(one => one.mobile === link.mobile))
  return kept.length === 0 && !said.some(one => one.is_guardian)
}

function linkChanges({ relation, is_guardian, work, id_idx, id_no }: ParsedGuardian, link: KnownLink, { words }: StudentSnapshot): Change[] {
  const changes: Change[] = []
  const name = (code: string) => words.names.get('PICKUP_RELATION')?.get(code) ?? code
  if (relation !== link.relation) changes.push({ prop: 'relation', before: name(link.relation), after: name(relation) })
  if (is_guardian !== link.is_guardian) changes.push({ prop: 'guardian', before: yesNo(link.is_guardian), after: yesNo(is_guardian) })
  if (work !== undefined && work !== link.work) changes.push({ prop: 'work', before: link.work ?? '', after: work ?? '' })
  const is_new_id = id_idx !== null && id_idx !== link.id_no_idx?.toString('hex')
  if (is_new_id) changes.push({ prop: 'id_no', before: link.id_no_mask ?? '', after: shownValue('id_no', id_no ?? '', undefined) })
  return changes
}

export function yesNo(value: boolean): string {
  return value ? '是' : '否'
}
