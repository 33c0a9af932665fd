import type { PeopleViews } from '@campus/people/server'
import { createHomes, createPlaces } from '@campus/places/server'
import type { PlannedPlace } from '@campus/places/server'
import { asTables } from '@kit/server/db'
import source from './data/school.json' with { type: 'json' }
import type { Work } from './school-work.ts'

const kinds = { building: 2, floor: 3, classroom: 4, gate: 9, dormitory: 10, bedroom: 11 } as const
/** Buildings whose plain classrooms are the rooms of the classes, by stage. */
const teaching = { '1': 'B', '2': 'C', '3': 'D' } as const
const class_type = 4

/** Twelve buildings, four gates and about 700 places; every class has its room (chapter 30 §8). */
export async function fillPlaces({ db, school_id, past_from, from }: Work): Promise<void> {
  const ids = await createPlaces(db, school_id, plannedPlaces(), past_from)
  const classes = await asTables<PeopleViews>(db).selectFrom('dept_now').select(['id', 'stage', 'grade', 'class_no']).where('school_id', '=', school_id).where('dept_type', '=', class_type).orderBy('grade').orderBy('class_no').execute()
  const homes = Object.entries(teaching).flatMap(([stage, building]) => {
    const rooms = roomsOf(building)
    return classes.filter(one => one.stage === stage).flatMap(({ id }, at) => {
      const place_id = ids.get(rooms[at] ?? '')
      return place_id === undefined ? [] : [{ dept_id: id, place_id }]
    })
  })
  await createHomes(db, school_id, homes, from)
}

function plannedPlaces(): PlannedPlace[] {
  const gates = source.gates.map(({ code, name }) => ({ key: code, superior: null, place_name: name, place_kind: kinds.gate }))
  return [...source.buildings.flatMap(plannedBuilding), ...gates]
}

type Building = (typeof source.buildings)[number]

function plannedBuilding({ code, name, building_use, floors, rooms_per_floor }: Building): PlannedPlace[] {
  const place_kind = rooms_per_floor[0]?.place_kind === kinds.bedroom ? kinds.dormitory : kinds.building
  const up = Array.from({ length: floors }, (_, at) => at + 1)
  return [
    { key: code, superior: null, place_name: name, place_kind, building_use },
    ...up.flatMap(floor => [
      { key: `${code}${floor}`, superior: code, place_name: `${floor}层`, place_kind: kinds.floor },
      ...rooms_per_floor.flatMap(room => plannedRooms(`${code}${floor}`, floor, room)),
    ]),
  ]
}

function plannedRooms(superior: string, floor: number, { place_kind, name, n, capacity }: Building['rooms_per_floor'][number]): PlannedPlace[] {
  return Array.from({ length: n }, (_, at) => {
    const number = `${floor}${String(at + 1).padStart(2, '0')}`
    const plain = place_kind === kinds.classroom || place_kind === kinds.bedroom
    return { key: keyOf(superior, place_kind, name, at), superior, place_name: plain ? number : `${name}${number}`, place_kind, capacity: capacity === 0 ? null : capacity }
  })
}

function keyOf(superior: string, place_kind: number, name: string, at: number): string {
  return `${superior} ${place_kind} ${name} ${at}`
}

/** Plain classrooms of a building, floor by floor. */
function roomsOf(code: string): string[] {
  const building = source.buildings.find(one => one.code === code)
  const room = building?.rooms_per_floor.find(one => one.place_kind === kinds.classroom)
  if (!building || !room) return []
  return Array.from({ length: building.floors * room.n }, (_, at) => keyOf(`${code}${Math.floor(at / room.n) + 1}`, room.place_kind, room.name, at % room.n))
}
