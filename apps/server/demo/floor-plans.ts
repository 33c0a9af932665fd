import { createPlans, planUse } from '@campus/devices/server'
import type { DevicesViews, PlannedPlan } from '@campus/devices/server'
import type { PlacesViews } from '@campus/places/server'
import { asTables } from '@kit/server/db'
import { drawFiles, keepDrawings, made_by } from './drawings.ts'
import { campus_size, drawCampus, drawFloor, floor_size, layRooms, pointIn, pointOfCorridor } from './floor-drawing.ts'
import type { Point, Room } from './floor-drawing.ts'
import { startOfDay } from './school-year.ts'
import type { Work } from './school-work.ts'

type Site = { place_id: string; superior_id: string | null; place_name: string; place_kind: number }
type Thing = { device_id: string; device_type: string; place_id: string | null }
type Pin = PlannedPlan['pins'][number]
type Plan = { place_id: string; svg: string; pins: Pin[] }

const [floor_kind, gate_kind] = [3, 9] as const
/** Buildings whose floors are drawn: where offices, lessons and laboratories are. */
const drawn_buildings: readonly string[] = ['行政楼', '小学部教学楼', '初中部教学楼', '高中部教学楼', '实验楼']
/** Where buildings and gates lie on the drawing of the campus. */
const campus: Readonly<Record<string, Point>> = {
  行政楼: { x: 1000, y: 815 }, 小学部教学楼: { x: 320, y: 450 }, 初中部教学楼: { x: 620, y: 450 }, 高中部教学楼: { x: 990, y: 450 }, 实验楼: { x: 1330, y: 450 }, 图书馆: { x: 1000, y: 680 }, 艺体馆: { x: 640, y: 680 }, 报告厅: { x: 660, y: 815 }, 食堂: { x: 1330, y: 800 },
  男生宿舍: { x: 320, y: 180 }, 女生宿舍: { x: 620, y: 180 }, 教师公寓: { x: 1330, y: 180 }, 南门: { x: 800, y: 960 }, 北门: { x: 800, y: 50 }, 东门: { x: 1530, y: 560 }, 西门: { x: 60, y: 560 },
}
const [camera, board, door] = ['06', '03', '04'] as const
/** Where things of a kind hang in a room: cameras in the corner opposite the door, boards and locks beside the door; the others stand in a row. */
const spots: Readonly<Record<string, { across: number; deep: number }>> = { [camera]: { across: 0.1, deep: 0.92 }, [board]: { across: 0.78, deep: 0.08 }, [door]: { across: 0.78, deep: 0.08 } }
const own_spot = { across: 0.12, across_right: 0.9, deep: 0.72 } as const
/** Devices of a gate stand in rows of so many, so far from each other, beginning beside the gate. */
const [in_row, apart] = [8, 28] as const
/** Gates nearer to the fence at the sides than this have their devices below them; from this part of the width on a name stands to the left of its pin. */
const [edge, name_to_left] = [100, 0.7] as const

/** The campus and the floors of five buildings as plans, drawn here, with the rooms and whatever stands in them. */
export async function fillFloorPlans(work: Work): Promise<void> {
  const { db, school_id, from } = work
  const sites = await asTables<PlacesViews>(db).selectFrom('place_live_v').select(['place_id', 'superior_id', 'place_name', 'place_kind']).where('school_id', '=', school_id).orderBy('node_path_name').execute()
  const things = await asTables<DevicesViews>(db).selectFrom('device_live_v').select(['device_id', 'device_type', 'place_id']).where('school_id', '=', school_id).orderBy('device_sn').execute()
  const drawn = await drawFiles(school_id, planAll(sites, things).map(plan => ({ ...plan, name: `floor-${plan.place_id}.jpg`, ref: planUse(plan.place_id) })))
  await keepDrawings(work, 'resource', drawn)
  await createPlans(db, school_id, drawn.map(({ place_id, pins, file_key, width, height }) => ({ place_id, pins, file_key, width, height, drawn_at: startOfDay(from), drawn_by: made_by })))
}

function planAll(sites: readonly Site[], things: readonly Thing[]): Plan[] {
  const root = sites.find(site => site.superior_id === null)
  if (!root) return []
  const below = (place_id: string) => sites.filter(site => site.superior_id === place_id)
  const own = below(root.place_id)
  const floors = own.filter(site => drawn_buildings.includes(site.place_name)).flatMap(building => below(building.place_id).filter(site => site.place_kind === floor_kind))
  return [
    { place_id: root.place_id, svg: drawCampus(own.flatMap(site => (site.place_kind === gate_kind ? [] : (campus[site.place_name] ?? [])))), pins: own.flatMap(site => pinsOfSite(site, things)) },
    ...floors.map(floor => {
      const rooms = below(floor.place_id)
      const laid = layRooms(rooms.map(room => room.place_kind))
      return { place_id: floor.place_id, svg: drawFloor(laid), pins: [...laid.flatMap((room, n) => pinsOfRoom(room, rooms[n]?.place_id ?? '', things)), ...pinsOfCorridor(floor.place_id, things)] }
    }),
  ]
}

/** A building or a gate of the campus with what stands there: below the name of a building, in rows beside a gate, away from the fence. */
function pinsOfSite({ place_id, place_name, place_kind }: Site, things: readonly Thing[]): Pin[] {
  const at = campus[place_name.replace(/\(.*\)/u, '')]
  if (!at) return []
  const part = ({ x, y }: Point) => ({ x: x / campus_size.width, y: y / campus_size.height })
  const is_gate = place_kind === gate_kind
  const standing = things.filter(thing => thing.place_id === place_id && thing.device_type !== camera)
  const { first, down } = is_gate ? besideGate(at) : { first: { x: at.x - 84, y: at.y + 24 }, down: apart }
  const name = is_gate ? at : { x: at.x + (at.x > name_to_left * campus_size.width ? 84 : -84), y: at.y - 22 }
  return [{ kind: 'place', id: place_id, ...part(name) }, ...standing.map((thing, n): Pin => ({ kind: 'device', id: thing.device_id, ...part({ x: first.x + (n % in_row) * apart, y: first.y + Math.floor(n / in_row) * down }) }))]
}

function besideGate({ x, y }: Point): { first: Point; down: number } {
  const is_at_side = x < edge || x > campus_size.width - edge
  if (is_at_side) return { first: { x: x < edge ? x : x - (in_row - 1) * apart, y: y + 52 }, down: apart }
  return { first: { x: x + 130, y }, down: y > campus_size.height / 2 ? -apart : apart }
}

function pinsOfRoom(room: Room, place_id: string, things: readonly Thing[]): Pin[] {
  const inside = things.filter(thing => thing.place_id === place_id)
  const rest = inside.filter(thing => spots[thing.device_type] === undefined)
  const devices = inside.map((thing): Pin => ({ kind: 'device', id: thing.device_id, ...pointIn(room, spots[thing.device_type] ?? { across: 0.12 + (0.76 * rest.indexOf(thing)) / Math.max(1, rest.length), deep: 0.4 }) }))
  return [{ kind: 'place', id: place_id, ...pointIn(room, { across: room.x > name_to_left * floor_size.width ? own_spot.across_right : own_spot.across, deep: own_spot.deep }) }, ...devices]
}

function pinsOfCorridor(place_id: string, things: readonly Thing[]): Pin[] {
  const standing = things.filter(thing => thing.place_id === place_id)
  return standing.map(({ device_id }, n): Pin => ({ kind: 'device', id: device_id, ...pointOfCorridor((n + 0.5) / standing.length) }))
}
