import { UserId } from '@campus/people/contract'
import { api, del, Done, download, get, page, post, put, queryList } from '@kit/contract'
import { z } from 'zod'
import {
  FolderDraft,
  FolderId,
  FolderRow,
  LabelId,
  most_in_batch,
  most_labels,
  PlaceRef,
  PublishedPlace,
  PublishedTeacher,
  PublishPlace,
  ResourceId,
  ResourceImpact,
  resourceList,
  ResourceRow,
  Type,
  whole_page,
} from './resource.ts'

const count = z.number().int()
const most_chosen = 300
const may = (verb: string) => ({ need: `publishing.resource.${verb}`, within: 'dept' as const })
const [view, edit, publish] = [may('view'), may('edit'), may('publish')]
const ById = z.object({ id: ResourceId })
const Ids = z
  .array(ResourceId)
  .min(1, { error: '请选择资源' })
  .max(most_chosen, { error: `一次最多${most_chosen}个` })
const AskedIds = queryList(ResourceId, most_chosen)
const Places = z.array(PlaceRef).max(1000, { error: '一次最多1000间教室' }).default([])
const Teachers = z.array(UserId).max(1000, { error: '一次最多1000位教师' }).default([])
const Removal = z.object({ resource_type: Type, resource_ids: AskedIds })
const Removed = z.object({ removed: count, stopping: count })
const Name = z.string().trim().min(1, { error: '请填写名称' }).max(80, { error: '名称超过80个字' })

const Publication = z.strictObject({ resource_id: Ids, place_id: Places, publish_teacher: Teachers })
const Published = z.object({ added: count, existed: count, no_board: z.array(z.string()) })
const Withdrawal = z.strictObject({ resource_id: Ids, place_id: Places, teachers: Teachers })
/** `stopping`: usages that end; `boards`: those whose plan changes with it. */
const Stopping = z.object({ stopping: count, boards: count })

const NewFile = z.strictObject({ file_key: z.string().max(200), name: z.string().trim().min(1).max(200) })
/** `taken`: another one of the library holds the same bytes already; it is added all the same. */
const FileResult = z.object({
  file_key: z.string(),
  id: ResourceId.nullable(),
  taken: z.string().nullable(),
  failed: z.string().nullable(),
})
const LabelRow = z.object({ id: LabelId, name: z.string(), items: count })

/** Libraries of pictures, videos and documents (chapter 60 §4.5). */
export const resourceApi = api('material', 'publishing.resource', {
  list: get('resource/list', { query: resourceList.query, reply: page(ResourceRow), ...view }),
  detail: get('resource/:id', { params: ById, reply: ResourceRow, ...view }),
  add: post('resource/add', {
    body: z.strictObject({
      resource_type: z.number().int().min(1).max(3),
      folder_id: FolderId.nullable().default(null),
      label_ids: z.array(LabelId).max(most_labels).default([]),
      files: z.array(NewFile).min(1, { error: '请选择文件' }).max(most_in_batch, { error: '一次最多选择150个文件' }),
    }),
    reply: z.object({ list: z.array(FileResult), added: count }),
    ...edit,
  }),
  publish: post('resource/publish', { body: Publication, reply: Published, op: 4, ...publish }),
  unpublish: post('resource/unpublish', { body: Withdrawal, reply: Stopping, op: 4, ...publish }),
  remove: del('resource/delete', { query: Removal, reply: Removed, ...may('delete') }),
  impact: get('resource/impact', { query: z.object({ resource_ids: AskedIds }), reply: ResourceImpact, ...view }),
  restore: post('resource/restore', {
    body: z.strictObject({ resource_ids: Ids }),
    reply: z.object({ restored: count }),
    op: 4,
    ...may('delete'),
  }),
  move: post('resource/move', {
    body: z.strictObject({ resource_ids: Ids, folder_id: FolderId.nullable() }),
    reply: z.object({ moved: count }),
    op: 4,
    ...edit,
  }),
  replace: post('resource/replace/:id', { params: ById, body: NewFile, reply: Done, op: 4, ...edit }),
  labels: get('resource/labels', { reply: z.object({ list: z.array(LabelRow) }), ...view }),
  saveLabel: post('resource/labels', {
    body: z.strictObject({ name: z.string().trim().min(1, { error: '请填写标签' }).max(20, { error: '标签超过20个字' }) }),
    reply: z.object({ id: LabelId }),
    op: 3,
    ...edit,
  }),
  removeLabel: del('resource/labels', { query: z.object({ id: LabelId }), reply: Done, ...edit }),
  setLabels: post('resource/set_labels', {
    body: z.strictObject({ resource_ids: Ids, label_ids: z.array(LabelId).max(most_labels, { error: `最多${most_labels}个标签` }) }),
    reply: Done,
    op: 4,
    ...edit,
  }),
  places: get('resource/places', { reply: z.object({ list: z.array(PublishPlace) }), ...publish }),
})

/** Albums of pictures and videos, folders of documents. */
export const folderApi = api('material', 'publishing.folder', {
  list: get('resource/folder/list', {
    query: z.object({ resource_type: Type }),
    reply: z.object({ list: z.array(FolderRow), loose: count }),
    ...view,
  }),
  add: post('resource/folder/add', { body: FolderDraft, reply: z.object({ id: FolderId }), ...edit }),
  update: put('resource/folder/:id', {
    params: z.object({ id: FolderId }),
    body: FolderDraft.omit({ resource_type: true }).extend({ row_version: count }),
    reply: Done,
    ...edit,
  }),
  remove: del('resource/folder/:id', { params: z.object({ id: FolderId }), reply: Done, ...edit }),
  order: post('resource/folder/order', {
    body: z.strictObject({ folder_ids: z.array(FolderId).min(1).max(most_chosen) }),
    reply: Done,
    op: 4,
    ...edit,
  }),
})

/** Only here a page may hold everything (product spec §7); any other list refuses the size. */
const WholePage = z.object({
  page_index: z.coerce.number().int().min(1).max(1_000_000).default(1),
  page_size: z.coerce.number().int().min(1).max(whole_page).default(whole_page),
})
const ManagedRow = ResourceRow.pick({
  id: true,
  resource_name: true,
  cdn_name: true,
  address: true,
  thumb: true,
  bytes: true,
  label_ids: true,
  is_picture: true,
  usage_count: true,
  created_at: true,
  folder_id: true,
  may_edit: true,
  row_version: true,
})

/** The pictures for boards (chapter 60 §4.6, product spec §7). */
export const educationApi = api('v2', 'publishing.education_resource', {
  list: get('education/resource/list', { query: WholePage, reply: page(ManagedRow), ...view }),
  isPicture: put('education/resource/is-picture', {
    body: z.strictObject({ resource_ids: Ids, is_picture: z.union([z.literal(0), z.literal(1)]) }),
    reply: z.object({ changed: count }),
    ...edit,
  }),
  rename: put('education/resource/:id', { params: ById, body: z.strictObject({ resource_name: Name }), reply: Done, ...edit }),
  remove: del('education/resource/delete', { query: Removal, reply: Removed, ...may('delete') }),
  published: get('education/resource/published', {
    query: z.object({ resource_id: ResourceId }),
    reply: z.object({ places: z.array(PublishedPlace), teachers: z.array(PublishedTeacher) }),
    ...view,
  }),
  publish: post('education/resource/publish', { body: Publication, reply: Published, op: 4, ...publish }),
  unpublish: post('education/resource/unpublish', { body: Withdrawal, reply: Stopping, op: 4, ...publish }),
  zip: post('education/resource/zip', {
    body: z.strictObject({
      resource_ids: z.array(ResourceId).min(1, { error: '请选择要下载的文件！' }).max(most_in_batch, { error: '一次最多打包150个文件' }),
    }),
    reply: z.object({ job_no: z.string() }),
    op: 7,
    ...view,
  }),
  download: get('education/resource/download', {
    query: z.object({ url: z.string().max(400), filename: z.string().max(200).default('') }),
    reply: download,
    op: 7,
    ...view,
  }),
})
export type ManagedRow = z.output<typeof ManagedRow>
