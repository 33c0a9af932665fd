import { educationApi, resourceApi } from '@campus/publishing/contract'
import type { ResourceImpact } from '@campus/publishing/contract'
import { checkSelection } from '@kit/contract/checks'
import type { SelectionAction } from '@kit/contract/checks'
import { call, confirmDanger, downloadFile, sentenceOf, toast } from '@kit/web'
import { lazyDialog, useAct, useDialog } from '@kit/web/act'
import type { Dialog } from '@kit/web/act'
import type { ReactNode } from 'react'
import type { Kind } from './kinds.ts'

const PublishDialog = lazyDialog(() => import('./publish-dialog.tsx').then(part => part.PublishDialog))
const UnpublishDialog = lazyDialog(() => import('./unpublish-dialog.tsx').then(part => part.UnpublishDialog))
const UploadDialog = lazyDialog(() => import('./upload-dialog.tsx').then(part => part.UploadDialog))
const ExportProgress = lazyDialog(() => import('@kit/web/export').then(part => part.ExportProgress))
const RenameDialog = lazyDialog(() => import('./small-dialogs.tsx').then(part => part.RenameDialog))
const ReplaceDialog = lazyDialog(() => import('./replace-dialog.tsx').then(part => part.ReplaceDialog))
const MoveDialog = lazyDialog(() => import('./small-dialogs.tsx').then(part => part.MoveDialog))
const LabelDialog = lazyDialog(() => import('./small-dialogs.tsx').then(part => part.LabelDialog))

/** What the acts need to know of a chosen resource. */
export type Chosen = {
  id: string
  resource_name: string
  cdn_name: string
  label_ids: readonly string[]
  usage_count: number
  is_picture: boolean
}
export type ResourceActs = Record<
  'upload' | 'download' | 'rename' | 'replace' | 'mark' | 'unmark' | 'publish' | 'unpublish' | 'remove' | 'move' | 'label' | 'restore',
  () => void
> & { busy: boolean; dialog: ReactNode }

const asked_delete = '资源将被删除！同时删除班牌正在使用的资源！确定删除吗？'
const most_at_once = 300
/** More than so many at once come as one archive (chapter 60 rule 28). */
const most_single = 10

/** Every act on chosen resources of one library (chapter 60 §5); `onDone` reads again and drops the choice. */
export function useResourceActs(kind: Kind, chosen: readonly Chosen[], onDone: () => void, folder_id?: string): ResourceActs {
  const { open, close, dialog } = useDialog()
  const { act, busy } = useAct([], onDone)
  const ids = chosen.slice(0, most_at_once).map(one => one.id)
  const frame = { onClose: close, onDone }
  const chosenFor = (action: SelectionAction, run: () => void) => () => {
    const told = checkSelection(chosen, action)
    return told === null ? run() : void toast.warning(told)
  }
  const withSome = (run: () => void) => () => (chosen.length === 0 ? toast.warning(`请选择${kind.item}`) : run())
  const withOne = (act_name: string, run: (one: Chosen) => void) => () => {
    const [one] = chosen
    if (chosen.length === 1 && one) run(one)
    else toast.warning(`请选择一个要${act_name}的${kind.item}`)
  }
  const mark = (is_picture: 0 | 1) =>
    withSome(() => void act(() => call(educationApi.isPicture, { resource_ids: ids, is_picture }, { quiet: true }), { done: '修改成功' }))
  const remove = async () => {
    const resource_ids = ids.join(',')
    try {
      const impact = await call(resourceApi.impact, { resource_ids }, { quiet: true })
      if (!(await confirmDanger({ title: asked_delete, touches: <Impact impact={impact} />, ok: '删除' }))) return
    } catch (cause) {
      return void toast.warning(sentenceOf(cause))
    }
    await act(() => call(educationApi.remove, { resource_type: kind.type, resource_ids }, { quiet: true }), { done: '删除成功!' })
  }
  return {
    busy,
    dialog,
    mark: mark(1),
    unmark: mark(0),
    upload: () => open(<UploadDialog kind={kind} folder_id={folder_id} {...frame} />),
    download: chosenFor('download', () => void (chosen.length > most_single ? pack(chosen, { open, close }) : downloadAll(chosen))),
    rename: withOne('重命名', one => open(<RenameDialog id={one.id} name={one.resource_name} {...frame} />)),
    replace: withOne('替换', one => open(<ReplaceDialog kind={kind} resource={one} {...frame} />)),
    publish: chosenFor('publish', () => open(<PublishDialog resource_ids={ids} item={kind.item} {...frame} />)),
    unpublish: chosenFor('publish', () =>
      chosen.some(one => one.usage_count > 0)
        ? open(<UnpublishDialog resources={chosen.filter(one => one.usage_count > 0)} item={kind.item} {...frame} />)
        : void toast.warning('所选资源没有发布'),
    ),
    remove: chosenFor('delete', () => void remove()),
    move: withSome(() => open(<MoveDialog kind={kind} resource_ids={ids} {...frame} />)),
    label: withSome(() =>
      open(<LabelDialog resource_ids={ids} known={chosen.length === 1 ? (chosen[0]?.label_ids ?? []) : []} {...frame} />),
    ),
    restore: withSome(() => void act(() => call(resourceApi.restore, { resource_ids: ids }, { quiet: true }), { done: '操作成功' })),
  }
}

/** All of them as one archive, which a job writes. */
async function pack(chosen: readonly Chosen[], { open, close }: Pick<Dialog, 'open' | 'close'>): Promise<void> {
  try {
    const { job_no } = await call(educationApi.zip, { resource_ids: chosen.map(one => one.id) }, { quiet: true })
    open(<ExportProgress job_no={job_no} kept="24 小时" close={close} />)
  } catch (cause) {
    toast.warning(sentenceOf(cause))
  }
}

/** One after the other, each under its own name. */
async function downloadAll(chosen: readonly Chosen[]): Promise<void> {
  for (const { cdn_name, resource_name } of chosen) {
    try {
      await downloadFile(educationApi.download, { url: cdn_name, filename: resource_name }, { quiet: true })
    } catch (cause) {
      return void toast.warning(`“${resource_name}”下载失败：${sentenceOf(cause)}`)
    }
  }
}

function Impact({ impact }: { impact: ResourceImpact }): ReactNode {
  const { places, boards, teachers, notices } = impact
  if (places + teachers + notices === 0) return '所选资源没有在使用，删除后30天内可以恢复。'
  const named = (names: readonly string[], all: number) => `${names.join('、')}${all > names.length ? ' 等' : ''}`
  return (
    <ul className="res-impact">
      {places > 0 && (
        <li>
          {places}间教室（{boards}块班牌）正在使用：{named(impact.place_names, places)}
        </li>
      )}
      {teachers > 0 && (
        <li>
          {teachers}位教师正在使用：{named(impact.teacher_names, teachers)}
        </li>
      )}
      {notices > 0 && (
        <li>
          {notices}条通知引用，通知中的文件保留：{named(impact.notice_titles, notices)}
        </li>
      )}
      <li>删除后30天内可以恢复，发布位置不会恢复。</li>
    </ul>
  )
}
