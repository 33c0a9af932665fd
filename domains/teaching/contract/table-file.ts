import { api, id, post, sheet } from '@kit/contract'
import { z } from 'zod'

const VersionId = id('teaching.version')
const byVersion = z.object({ id: VersionId })
const most_mb = 20

/** Something wrong in one cell of a file; `column` is the header above it. */
const FileIssue = z.object({ sheet: z.string(), row: z.number().int(), column: z.string(), msg: z.string() })
export type FileIssue = z.output<typeof FileIssue>
const FileChange = z.object({ class_name: z.string(), course_name: z.string(), before: z.string(), after: z.string() })
export type FileChange = z.output<typeof FileChange>

const Imported = z.object({
  imported: z.boolean(), rev: z.number().int(), layout: z.enum(['rows', 'grid']), total: z.number().int(),
  added: z.number().int(), moved: z.number().int(), same: z.number().int(), removed: z.number().int(),
  issues: z.array(FileIssue), issue_count: z.number().int(), clashes: z.array(z.string()), clash_count: z.number().int(),
  changes: z.array(FileChange),
})
export type TableImport = z.output<typeof Imported>

/** A timetable as a file: out in two layouts, and back into a draft as one step that can be undone (chapter 50 §6). */
export const tableFileApi = api('v2', 'teaching.table_file', {
  sheet: post('timetable/version/:id/sheet', {
    params: byVersion, body: z.strictObject({ layout: z.enum(['rows', 'grid']).default('rows') }), reply: sheet, op: 7,
    need: 'teaching.timetable.export',
  }),
  /**
   * `mode` replace: the classes of the file become what the file says; add: lessons that are placed already stay.
   * `clash` mark: lessons that clash are imported and marked; refuse: they are left where they are. `preview`: nothing is written.
   */
  importFile: post('timetable/version/:id/import', {
    params: byVersion, upload: { max_mb: most_mb, extensions: ['.xlsx', '.csv'] },
    body: z.strictObject({
      rev: z.coerce.number().int().min(0), mode: z.enum(['replace', 'add']).default('replace'),
      clash: z.enum(['mark', 'refuse']).default('mark'), preview: z.enum(['0', '1']).default('1'),
    }),
    reply: Imported, op: 6, need: 'teaching.timetable.import',
  }),
})
