import type { Issue, Judgement, ParsedRow } from '@campus/jobs/server'
import { isSameName, numberKey } from '@kit/contract/checks'
import { shownValue } from './field.ts'
import { holderIssues, losesGuardian, most_guardians, yesNo } from './guardian.judge.ts'
import type { ParsedParent } from './parent.parsed.ts'
import type { ParentSnapshot, RollPupil } from './parent.snapshot.ts'
import type { KnownLink } from './student.snapshot.ts'

type Change = Judgement['diff'][number]

/**
 * What importing a line of the parent sheet would do. Its target is the link between pupil and guardian: whether the guardian
 * exists already may depend on an earlier line of the same file (brothers and sisters), the link never does.
 */
export function judgeParent({ parsed }: ParsedRow<ParsedParent>, snapshot: ParentSnapshot): Judgement {
  const pupil = visiblePupil(parsed, snapshot)
  const links = pupil ? (snapshot.links.get(pupil.user_id) ?? []) : []
  const link = links.find(one => one.mobile === parsed.mobile)
  const diff = link ? linkChanges(parsed, link, snapshot) : []
  return {
    verdict: !link ? 'new' : diff.length > 0 ? 'change' : 'same',
    target_id: link?.id ?? null,
    basis: null,
    diff,
    errors: [...pupilIssues(parsed, pupil), ...parentIssues(parsed, link, snapshot), ...(pupil ? linkIssues(parsed, pupil, links) : [])],
    warnings: [],
  }
}

/** The pupil of the line; one of somebody else's class does not exist for the importer. */
export function visiblePupil({ student_no }: ParsedParent, { pupils, scope }: ParentSnapshot): RollPupil | undefined {
  const pupil = pupils.get(numberKey(student_no))
  const is_visible = pupil && (scope === 'all' || (pupil.dept_id !== null && scope.includes(pupil.dept_id)))
  return is_visible ? pupil : undefined
}

function pupilIssues({ student_name }: ParsedParent, pupil: RollPupil | undefined): Issue[] {
  if (!pupil) return [{ prop: 'student_no', msg: '人员不存在' }]
  return isSameName(pupil.user_name, student_name) ? [] : [{ prop: 'student_name', msg: '姓名与编号不一致' }]
}

function parentIssues(parsed: ParsedParent, link: KnownLink | undefined, { holders, id_owners }: ParentSnapshot): Issue[] {
  return holderIssues(parsed, { link, holder: holders.get(parsed.mobile), id_owners })
}

function linkIssues({ mobile, is_guardian = true }: ParsedParent, pupil: RollPupil, links: readonly KnownLink[]): Issue[] {
  const issues: Issue[] = []
  const is_new = !links.some(link => link.mobile === mobile)
  if (is_new && links.length >= most_guardians) issues.push({ prop: 'mobile', msg: `每名学生最多关联${most_guardians}名家长` })
  if (!is_new && losesGuardian(pupil.stage, links, [{ mobile, is_guardian }])) issues.push({ prop: 'is_guardian', msg: '至少保留一名监护人' })
  return issues
}

function linkChanges(parsed: ParsedParent, link: KnownLink, { words }: ParentSnapshot): Change[] {
  const changes: Change[] = []
  const flag = (prop: string, said: boolean | undefined, known: boolean) => {
    if (said !== undefined && said !== known) changes.push({ prop, before: yesNo(known), after: yesNo(said) })
  }
  const named = (type: string, code: string | null) => (code === null ? '' : (words.names.get(type)?.get(code) ?? code))
  if (parsed.relation !== link.relation) changes.push({ prop: 'relation', before: named('PICKUP_RELATION', link.relation), after: named('PICKUP_RELATION', parsed.relation) })
  flag('is_first', parsed.is_first, link.is_first)
  flag('is_guardian', parsed.is_guardian, link.is_guardian)
  flag('pickup', parsed.can_pickup, link.can_pickup)
  if (parsed.work !== undefined && parsed.work !== link.work) changes.push({ prop: 'work', before: link.work ?? '', after: parsed.work ?? '' })
  if (parsed.edu !== undefined && parsed.edu !== link.edu) changes.push({ prop: 'edu', before: named('EDU_LEVEL', link.edu), after: named('EDU_LEVEL', parsed.edu) })
  const is_new_id = parsed.id_idx !== null && parsed.id_idx !== link.id_no_idx?.toString('hex')
  if (is_new_id) changes.push({ prop: 'id_no', before: link.id_no_mask ?? '', after: shownValue('id_no', parsed.id_no ?? '', undefined) })
  return changes
}
