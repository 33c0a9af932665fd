import type { placeApi } from '@campus/places/contract'
import type { Input } from '@kit/contract'
import { exportList, listExport, rows_per_page } from '@kit/server/excel'
import type { SheetColumn } from '@kit/server/excel'
import type { Pre } from '@kit/server/http'
import type { Db, PlacesDb } from './db.ts'
import { placeWords } from './import/place.words.ts'
import { countPlaces, readPlaces } from './place.queries.ts'
import type { PlaceFilter, PlaceRead } from './place.queries.ts'
import { visiblePlaces } from './place.scope.ts'
import { filterOf } from './place.service.ts'

type Query = Input<typeof placeApi.export>
type Opened = { filter: PlaceFilter; total: number; school_name: string; names: ReadonlyMap<number, string>; classes: ReadonlyMap<string, string>; below: string | undefined }
type Row = PlaceRead & Pick<Opened, 'names' | 'classes'>

/** The first columns are those of 场所导入, so that the sheet can be filled in and given back. */
const columns: readonly SheetColumn<Row>[] = [
  { label: '上级场所全路径', text: row => row.node_path_name.split('/').slice(0, -1).join('/') },
  { label: '场所名称', text: row => row.place_name },
  { label: '场所类型', text: row => row.names.get(row.place_kind) ?? '' },
  { label: '容纳人数', text: row => (row.capacity === null ? '' : String(row.capacity)) },
  { label: '班级全路径', text: row => row.classes.get(row.dept_id ?? '') ?? '' },
  { label: '顺序', text: row => String(row.order) },
  { label: '面积（平方米）', text: row => row.area_m2 ?? '' },
  { label: '私密区域', text: row => (row.private_zone ? '是' : '否') },
  { label: '状态', text: row => (row.closed_on === null ? '使用中' : `${row.closed_on}关闭`) },
]

/** The filtered list of places, in the order of the tree (chapter 30 §6). */
export const placeExport = listExport<Query>({
  name: 'places.place',
  is_about_people: false,
  async open(desk, query) {
    const { school_id, now, read } = desk
    const { filter, total, school_name, names, classes, below } = await read<PlacesDb, Opened>(async db => {
      const found = await filterOf({ db, school_id, now, scope: await visiblePlaces({ ...desk, db }) }, query)
      const school = await db.selectFrom('school_v').select('school_name').where('school_id', '=', school_id).executeTakeFirstOrThrow()
      return { filter: found, total: await countPlaces(db, found), school_name: school.school_name, below: await pathOf(db, school_id, query.superior_id), names: (await placeWords({ db, school_id })).names, classes: await classPaths(db, school_id) }
    })
    return {
      title: '场所', unit: '个', school_name, total, columns, conditions: conditionsOf(query, names, below),
      noted: { target_kind: 'places.place', target_name: `场所 ${total}个` },
      async* pages() {
        for (let offset = 0; offset < total; offset += rows_per_page) {
          const rows = await read<PlacesDb, PlaceRead[]>(db => readPlaces(db, filter, { limit: rows_per_page, offset }))
          yield rows.map(row => columns.map(column => column.text({ ...row, names, classes })))
        }
      },
    }
  },
})

/** Begins the export of places: up to 5,000 at once, more by a job. @throws Refusal 404 for a place out of sight, 422 for more rows than a job writes */
export function exportPlaces(pre: Pre, query: Query) {
  return exportList(pre, placeExport, query, '')
}

async function pathOf(db: Db, school_id: number, place_id: string | undefined): Promise<string | undefined> {
  if (place_id === undefined) return undefined
  return (await db.selectFrom('place').select('node_path_name').where('school_id', '=', school_id).where('place_id', '=', place_id).executeTakeFirst())?.node_path_name
}

async function classPaths(db: Db, school_id: number): Promise<Map<string, string>> {
  const rows = await db.selectFrom('dept_now').select(['id', 'pt_node_path_name']).where('school_id', '=', school_id).where('dept_type', '=', 4).execute()
  return new Map(rows.map(row => [row.id, row.pt_node_path_name]))
}

function conditionsOf({ keyword, place_kind, status }: Query, names: ReadonlyMap<number, string>, below: string | undefined): string[] {
  return [
    ...(keyword ? [`查找 ${keyword}`] : []),
    ...(below === undefined ? [] : [`场所 ${below}`]),
    ...(place_kind === undefined ? [] : [`类型 ${names.get(place_kind) ?? place_kind}`]),
    ...(status === 'closed' ? ['已停用'] : []),
  ]
}
