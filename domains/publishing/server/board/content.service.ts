import { content_state, playable_mime, publishingErrors, source } from '@campus/publishing/contract'
import type { contentApi, ContentDraft, ContentTarget } from '@campus/publishing/contract'
import { claim, digestOf, release } from '@campus/files/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import { setTimer } from '@kit/server/event'
import type { Pre } from '@kit/server/http'
import type { PublishingCtx, Work } from '../db.ts'
import { requireFolder } from '../resource/resource.service.ts'
import type { BoardFact } from './compile.ts'
import { filesOfAlbum } from './facts.ts'
import type { KeptFile } from './facts.ts'
import { markDirty, over_kind } from './plan.service.ts'
import { targetBoards } from './scope.ts'

const refOf = (content_id: string) => ({ ref_kind: 'publishing.content', ref_id: content_id })
const fit = { width: 1920, height: 1920 }
const post_sent = 2
/** Files of a content, checked and measured before the transaction. */
export type Prepared = (ctx: PublishingCtx, content_id: string) => Promise<KeptFile[]>

/** @throws Refusal 404, 415 for files that are not the caller's or cannot be played */
export async function prepareContent(pre: Pre, { files }: Pick<ContentDraft, 'files'>, content_id?: string): Promise<Prepared> {
  const school_id = pre.me?.school_id ?? 0
  const ready: { enter: Awaited<ReturnType<typeof claim>>; name: string; sha256: string }[] = []
  for (const { file_key, name } of files) {
    const enter = await claim(pre, {
      file_key,
      purpose: 'resource',
      fit,
      ...(content_id === undefined ? {} : { held_by: refOf(content_id) }),
    })
    ready.push({ enter, name, sha256: await digestOf(pre, { school_id, file_key }) })
  }
  return async (ctx, id) => {
    const kept: KeptFile[] = []
    for (const { enter, name, sha256 } of ready) {
      const { file_key, mime, size } = await enter(ctx, refOf(id))
      if (!playable_mime.test(mime)) throw fail(publishingErrors.contentFileKind)
      kept.push({ file_key, name, sha256, bytes: size, mime })
    }
    return kept
  }
}

/** @throws Refusal for a draft that could never be shown */
async function checkDraft(
  ctx: PublishingCtx,
  { source_kind, source_id, text, files, rule_id, valid_from, valid_to }: ContentDraft,
): Promise<void> {
  const { db, school_id, now } = ctx
  if (source_kind === source.files && files.length === 0) throw fail(publishingErrors.contentNoFile)
  if (source_kind === source.text && text === '') throw fail(publishingErrors.contentNoText)
  if (valid_to !== null && (new Date(valid_to) <= now || (valid_from !== null && valid_to <= valid_from)))
    throw fail(publishingErrors.contentWindow)
  if (rule_id !== null) await requireRule({ db, school_id }, rule_id)
  if (source_kind === source.album && source_id !== null) await requireFolder(ctx, source_id)
  if (source_kind !== source.post) return
  const post =
    source_id === null
      ? undefined
      : await db
          .selectFrom('publishing_post')
          .select('state')
          .where('school_id', '=', school_id)
          .where('post_id', '=', source_id)
          .executeTakeFirst()
  if (source_id !== null && !post) throw fail(commonErrors.notFound)
  if (post?.state !== post_sent) throw fail(publishingErrors.contentNoPost)
}

/** @throws Refusal 404, ruleDisabled */
export async function requireRule({ db, school_id }: Pick<Work, 'db' | 'school_id'>, rule_id: string): Promise<void> {
  const rule = await db
    .selectFrom('publishing_play_rule')
    .select('enabled')
    .where('school_id', '=', school_id)
    .where('rule_id', '=', rule_id)
    .executeTakeFirst()
  if (!rule) throw fail(commonErrors.notFound)
  if (!rule.enabled) throw fail(publishingErrors.ruleDisabled)
}

const columnsOf = ({
  title,
  source_kind,
  source_id,
  text,
  zone,
  rule_id,
  priority,
  weight,
  valid_to,
  offline_ttl_hours,
}: ContentDraft) => ({
  title,
  source_kind,
  source_id: source_kind === source.post || source_kind === source.album ? source_id : null,
  text,
  zone,
  rule_id,
  priority,
  weight,
  valid_to,
  offline_ttl_hours,
})

/** A content as a draft: it is shown when it is published. */
export async function addContent(ctx: PublishingCtx, draft: ContentDraft, prepared: Prepared): Promise<{ id: string }> {
  const { db, school_id, now, me } = ctx
  await targetBoards(ctx, draft.targets)
  await checkDraft(ctx, draft)
  const { content_id } = await db
    .insertInto('publishing_content')
    .values({
      school_id,
      ...columnsOf(draft),
      valid_from: draft.valid_from ?? now,
      state: content_state.draft,
      created_at: now,
      created_by: me.user_id,
      updated_at: now,
    })
    .returning('content_id')
    .executeTakeFirstOrThrow()
  await writeTargets(ctx, content_id, draft.targets)
  await writeFiles(ctx, content_id, await filesFor(ctx, draft, () => prepared(ctx, content_id)))
  ctx.note({ target_kind: 'publishing.content', target_id: content_id, target_name: draft.title })
  return { id: content_id }
}

export async function writeTargets(
  { db, school_id }: Pick<Work, 'db' | 'school_id'>,
  content_id: string,
  targets: readonly ContentTarget[],
): Promise<void> {
  await db.deleteFrom('publishing_content_target').where('school_id', '=', school_id).where('content_id', '=', content_id).execute()
  await db
    .insertInto('publishing_content_target')
    .values(targets.map(({ mode, target, target_id }, at) => ({ school_id, content_id, line_no: at + 1, mode, target, target_id })))
    .execute()
}

/** Files of the content itself, or those of its album. @throws Refusal contentNoAlbum */
async function filesFor(ctx: PublishingCtx, { source_kind, source_id }: ContentDraft, own: () => Promise<KeptFile[]>): Promise<KeptFile[]> {
  if (source_kind !== source.album) return own()
  const files = source_id === null ? [] : await filesOfAlbum(ctx, source_id)
  if (files.length === 0) throw fail(publishingErrors.contentNoAlbum)
  return files
}

async function writeFiles({ db, school_id }: PublishingCtx, content_id: string, files: readonly KeptFile[]): Promise<void> {
  await db
    .updateTable('publishing_content')
    .set({ files: JSON.stringify(files) })
    .where('school_id', '=', school_id)
    .where('content_id', '=', content_id)
    .execute()
}

/** A content of the caller's places, locked unless it is only looked at. @throws Refusal 404, boardOutOfScope */
export async function requireContent(ctx: PublishingCtx, content_id: string, lock = true) {
  const { db, school_id } = ctx
  const query = db.selectFrom('publishing_content').selectAll().where('school_id', '=', school_id).where('content_id', '=', content_id)
  const found = await (lock ? query.forUpdate() : query).executeTakeFirst()
  if (!found) throw fail(commonErrors.notFound)
  const lines = await db
    .selectFrom('publishing_content_target')
    .select(['mode', 'target', 'target_id'])
    .where('school_id', '=', school_id)
    .where('content_id', '=', content_id)
    .orderBy('line_no')
    .execute()
  const boards = await targetBoards(
    ctx,
    lines.map(({ mode, target, target_id }) => ({ mode: mode === 2 ? 2 : 1, target, target_id })),
  )
  return { found, boards }
}

/** A living content changes on its boards too: those of before and those of now. @throws Refusal stale, contentOver */
export async function updateContent(
  ctx: PublishingCtx,
  { id, row_version, ...draft }: Input<typeof contentApi.update>,
  prepared: Prepared,
): Promise<Record<string, never>> {
  const { db, school_id, now } = ctx
  const { found, boards: before } = await requireContent(ctx, id)
  if (found.state === content_state.taken) throw fail(publishingErrors.contentOver)
  if (found.resource_id !== null) throw fail(publishingErrors.contentOfLibrary)
  if (found.row_version !== row_version) throw fail(publishingErrors.stale)
  const boards = await targetBoards(ctx, draft.targets)
  await checkDraft(ctx, draft)
  await db
    .updateTable('publishing_content')
    .set({ ...columnsOf(draft), valid_from: draft.valid_from ?? found.valid_from, updated_at: now, row_version: row_version + 1 })
    .where('school_id', '=', school_id)
    .where('content_id', '=', id)
    .execute()
  await writeTargets(ctx, id, draft.targets)
  const files = await filesFor(ctx, draft, () => prepared(ctx, id))
  await writeFiles(ctx, id, files)
  for (const old of oldKeys(found.files)) if (!files.some(file => file.file_key === old)) await release(ctx, refOf(id), { file_key: old })
  if (found.state === content_state.live) await spread(ctx, [...before, ...boards], { content_id: id, valid_to: draft.valid_to })
  ctx.note({ target_kind: 'publishing.content', target_id: id, target_name: draft.title })
  return {}
}

function oldKeys(files: unknown): string[] {
  return Array.isArray(files)
    ? files.flatMap((file: unknown) => (typeof file === 'object' && file !== null && 'file_key' in file ? [String(file.file_key)] : []))
    : []
}

/** Boards are told of a content, now and when it ends. */
export async function spread(
  work: Work,
  boards: readonly BoardFact[],
  { content_id, valid_to }: { content_id: string; valid_to: string | Date | null },
): Promise<void> {
  await markDirty(
    work,
    boards.map(board => board.device_id),
    '内容变化',
  )
  if (valid_to === null) return
  const due_at = new Date(valid_to)
  await setTimer(work, { kind: over_kind, ref: `${content_id}:${due_at.getTime()}`, due_at })
}

/** @throws Refusal contentNotDraft */
export async function removeContent(ctx: PublishingCtx, { id }: { id: string }): Promise<Record<string, never>> {
  const { found } = await requireContent(ctx, id)
  if (found.state !== content_state.draft) throw fail(publishingErrors.contentNotDraft)
  await ctx.db.deleteFrom('publishing_content').where('school_id', '=', ctx.school_id).where('content_id', '=', id).execute()
  await release(ctx, refOf(id))
  ctx.note({ target_kind: 'publishing.content', target_id: id, target_name: found.title })
  return {}
}
