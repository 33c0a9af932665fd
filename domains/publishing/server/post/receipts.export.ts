import { Form, reach_reasons, role_names } from '@campus/publishing/contract'
import type { noticeApi, SubmissionRow } from '@campus/publishing/contract'
import type { Input } from '@kit/contract'
import { writeRows } from '@kit/server/excel'
import type { FileReply } from '@kit/server/http'
import type { PublishingCtx } from '../db.ts'
import { titleOf } from './follow.ts'
import { requirePost } from './post.queries.ts'
import type { Family } from './post.queries.ts'
import { pageReceipts } from './receipts.ts'
import { listSubmissions } from './report.ts'

const mime = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const at_once = 300
const zone_ms = 8 * 3_600_000
const roles: Readonly<Record<string, string>> = role_names
const reasons: Readonly<Record<string, string>> = reach_reasons
const timeText = (instant: string | null) =>
  instant === null ? '' : new Date(Date.parse(instant) + zone_ms).toISOString().slice(0, 16).replace('T', ' ')

type Asked = Input<typeof noticeApi.exportReceipts>
type Sheet = { labels: string[]; rows: string[][] }

/** Who has read and given back, or what was given back, as a sheet: what the caller sees on the page (chapter 60 §6). @throws Refusal 404 */
export async function exportReceipts(ctx: PublishingCtx, family: Family, asked: Asked): Promise<FileReply> {
  const { post } = await requirePost(ctx, family, asked.notice_id)
  const { title } = await titleOf(ctx, post)
  const { labels, rows } = asked.what === 'answers' ? await answersOf(ctx, family, asked) : await receiptsOf(ctx, family, asked)
  ctx.note({ target_kind: family.noun, target_id: asked.notice_id, target_name: title, after: { rows: rows.length } })
  const name = asked.what === 'answers' ? '提交内容' : '回执'
  const body = await writeRows({ sheet: name, head: [title], columns: labels.map(label => ({ label })), rows })
  return { file_name: `${title}-${name}.xlsx`, mime, body, size: body.length }
}

async function receiptsOf(ctx: PublishingCtx, family: Family, { notice_id }: Asked): Promise<Sheet> {
  const rows: string[][] = []
  for (const which of ['unread', 'read'] as const) {
    const pageOf = (page_index: number) => pageReceipts(ctx, family, which, { notice_id, page_index, page_size: at_once })
    for await (const row of everyRow(pageOf)) {
      const subject = row.role === guardian ? row.subject_name : ''
      const reason = row.reach_reason === null ? '' : (reasons[String(row.reach_reason)] ?? '')
      const times = [timeText(row.read_at), timeText(row.submitted_at), row.late ? '是' : '']
      const phoned = row.phoned_at === null ? '' : `${timeText(row.phoned_at)} ${row.phoned_by_name ?? ''}`
      const who = [row.user_name, roles[String(row.role)] ?? '', subject, row.dept_name ?? '']
      rows.push([...who, ...times, String(row.remind_count), reason, phoned])
    }
  }
  return { labels: ['姓名', '身份', '学生', '班级/部门', '阅读时间', '提交时间', '迟交', '提醒次数', '未触达原因', '电话告知'], rows }
}

async function answersOf(ctx: PublishingCtx, family: Family, { notice_id }: Asked): Promise<Sheet> {
  const { post } = await requirePost(ctx, family, notice_id)
  const { form } = await ctx.db
    .selectFrom('publishing_post_rev')
    .select('form')
    .where('school_id', '=', ctx.school_id)
    .where('post_id', '=', post.post_id)
    .where('rev', '=', post.rev)
    .executeTakeFirstOrThrow()
  const fields = Form.parse(form ?? []).filter(field => field.type !== note)
  const rows: string[][] = []
  const pageOf = (page_index: number) => listSubmissions(ctx, family, { notice_id, page_index, page_size: at_once })
  for await (const row of everyRow(pageOf)) rows.push([...factsOf(row), ...fields.map(({ key }) => [row.answers[key] ?? ''].flat().join('；'))])
  return { labels: ['学生/人员', '提交人', '班级/部门', '提交时间', '迟交', '批阅', '回复', ...fields.map(field => field.label)], rows }
}

const [guardian, note] = [2, 'note'] as const

function factsOf(row: SubmissionRow): string[] {
  const words = row.signature === null ? [row.answers['text'] ?? ''].flat().join('；') : '已签名'
  return [row.subject_name, row.user_name, row.dept_name ?? '', timeText(row.at), row.late ? '是' : '', row.grade ?? '', words]
}

async function* everyRow<T>(pageOf: (page_index: number) => Promise<{ list: T[]; total: number }>): AsyncGenerator<T> {
  for (let page_index = 1, seen = 0; ; page_index += 1) {
    const { list, total } = await pageOf(page_index)
    yield* list
    seen += list.length
    if (list.length === 0 || seen >= total) return
  }
}
