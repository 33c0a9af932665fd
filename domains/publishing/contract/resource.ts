import { DeptId, UserId } from '@campus/people/contract'
import { carried, choice, flag, id, Instant, keyword, list } from '@kit/contract'
import { z } from 'zod'
import { resource_states } from './dictionary.ts'

export const FolderId = id('publishing.folder')
export const ResourceId = id('publishing.resource')
export const LabelId = id('publishing.label')
export const PlaceRef = id('places.place')
const count = z.number().int()

/** Chapter 60 §1.3 and rule 25. */
export const most_resources = 5000
export const most_in_batch = 150
export const most_labels = 10
/** The one page that shows everything (product spec §7). */
export const whole_page = 99_999
/** FILE_EXT of each library; a video is an MP4 that boards can play (chapter 60 rule 27). */
export const resource_extensions: Readonly<Record<string, readonly string[]>> = {
  '1': ['jpg', 'jpeg', 'png', 'gif', 'webp'],
  '2': ['mp4'],
  '3': ['doc', 'docx', 'xls', 'xlsx', 'ppt', 'pptx', 'pdf', 'txt'],
}
export const Type = z.coerce.number().int().min(1).max(3)
export const folder_visibility = { '1': '全校', '2': '本部门' } as const

export const FolderDraft = z.strictObject({
  resource_type: z.number().int().min(1).max(3),
  name: z.string().trim().min(1, { error: '请填写名称' }).max(30, { error: '名称超过30个字' }),
  visibility: z.number().int().min(1).max(2).default(1),
  owner_dept_id: DeptId.nullable().default(null),
})

/** An album or folder with what is in it; `cover` is the address of its first picture. */
export const FolderRow = z.object({
  id: FolderId,
  resource_type: count,
  name: z.string(),
  visibility: count,
  owner_dept_id: DeptId.nullable(),
  owner_dept_name: z.string().nullable(),
  author_name: z.string().nullable(),
  order_no: count,
  row_version: count,
  items: count,
  bytes: count,
  cover: z.string().nullable(),
  may_edit: z.boolean(),
})
export type FolderRow = z.output<typeof FolderRow>

/** One file of a library. `cdn_name` is its file key, `address` where it can be fetched for some minutes. */
export const ResourceRow = z.object({
  id: ResourceId,
  resource_type: count,
  folder_id: FolderId.nullable(),
  folder_name: z.string().nullable(),
  resource_name: z.string(),
  cdn_name: z.string(),
  address: z.string(),
  thumb: z.string().nullable(),
  bytes: count,
  mime: z.string(),
  width: count.nullable(),
  height: count.nullable(),
  duration_ms: count.nullable(),
  label_ids: z.array(LabelId),
  is_picture: z.boolean(),
  usage_count: count,
  state: z.enum(['1', '3']),
  author_name: z.string().nullable(),
  created_at: Instant,
  deleted_at: Instant.nullable(),
  row_version: count,
  may_edit: z.boolean(),
})
export type ResourceRow = z.output<typeof ResourceRow>

export const resourceList = list({
  title: '资源',
  unit: '个',
  row: ResourceRow,
  key: 'id',
  columns: {
    resource_name: { label: '名称', width: 260 },
    folder_name: { label: '文件夹', width: 140 },
    bytes: { label: '大小', width: 96, kind: 'number' },
    usage_count: { label: '发布位置', width: 84, kind: 'number' },
    author_name: { label: '上传人', width: 96 },
    created_at: { label: '上传时间', width: 140, kind: 'instant' },
    state: { label: '状态', width: 84, names: resource_states },
  },
  filters: {
    keyword: keyword('名称'),
    state: choice('状态', resource_states),
    published: flag('发布', { 1: '已发布', 0: '未发布' }),
    type: carried('', Type),
    folder_id: carried('', FolderId),
    label_id: carried('', LabelId),
  },
})

/** Where a resource is shown now; `state` of delivery by the words of its boards, null where none has to show it yet. */
export const PublishedPlace = z.object({
  place_id: PlaceRef,
  place_name: z.string(),
  since: Instant,
  has_board: z.boolean(),
  state: count.nullable(),
  last_played_at: Instant.nullable(),
})
export const PublishedTeacher = z.object({ user_serial: UserId, name: z.string(), since: Instant })

/** What goes with a deletion (chapter 60 rule 30). */
export const ResourceImpact = z.object({
  places: count,
  boards: count,
  teachers: count,
  notices: count,
  place_names: z.array(z.string()),
  teacher_names: z.array(z.string()),
  notice_titles: z.array(z.string()),
})
export type ResourceImpact = z.output<typeof ResourceImpact>

/** A place that a resource can be published to, as a tree by `superior_id`. */
export const PublishPlace = z.object({
  place_id: PlaceRef,
  superior_id: PlaceRef.nullable(),
  place_name: z.string(),
  has_board: z.boolean(),
  online: z.boolean(),
  is_room: z.boolean(),
})
export type PublishPlace = z.output<typeof PublishPlace>

/** Days until what lies in the bin is erased. */
export const bin_days = 30
