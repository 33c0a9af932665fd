import { CameraBinding } from '@campus/devices/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db.ts'

/** Of a camera `d`: whether it watches anything at a moment. */
export function isBound(school_id: number, now: Date) {
  return sql<boolean>`exists (select from camera_binding b where b.school_id = ${school_id} and b.camera_device_id = d.device_id and b.valid_from <= ${now} and (b.valid_to is null or b.valid_to > ${now}))`
}

const closed_place = '已停用的场所'

function selectBindings(db: Db, school_id: number) {
  return db
    .selectFrom('camera_binding as b')
    .leftJoin('device as t', join => join.onRef('t.school_id', '=', 'b.school_id').onRef('t.device_id', '=', 'b.target_device_id'))
    .leftJoin('place_live_v as p', join => join.onRef('p.school_id', '=', 'b.school_id').onRef('p.place_id', '=', 'b.place_id'))
    .select(['b.id', 'b.camera_device_id', 'b.bind_kind', 'b.valid_from', 'b.valid_to', sql<string>`coalesce(b.target_device_id, b.place_id)::text`.as('target_id'), sql<string>`coalesce(t.device_name, p.node_path_name, ${closed_place})`.as('target_name')])
    .where('b.school_id', '=', school_id)
}

type Found = Awaited<ReturnType<ReturnType<typeof selectBindings>['execute']>>[number]

/** What these cameras watch at a moment. */
export function readBindings(db: Db, school_id: number, camera_ids: readonly string[], now: Date): Promise<Found[]> {
  return selectBindings(db, school_id)
    .where(sql<boolean>`b.camera_device_id = any(${[...camera_ids]}::bigint[])`)
    .where('b.valid_from', '<=', now)
    .where(eb => eb.or([eb('b.valid_to', 'is', null), eb('b.valid_to', '>', now)]))
    .orderBy('b.bind_kind')
    .orderBy('b.id')
    .execute()
}

/** What a camera has ever watched, newest first. */
export async function readHistory(db: Db, school_id: number, camera_id: string): Promise<CameraBinding[]> {
  const rows = await selectBindings(db, school_id).where('b.camera_device_id', '=', camera_id).orderBy('b.valid_from', 'desc').orderBy('b.id', 'desc').execute()
  return rows.map(bindingOf)
}

/** A binding as the wire has it. */
export function bindingOf({ id: _id, camera_device_id: _camera, valid_from, valid_to, ...row }: Found): CameraBinding {
  return CameraBinding.parse({ ...row, valid_from: valid_from.toISOString(), valid_to: valid_to?.toISOString() ?? null })
}

/** Slots of a gate that are taken from a moment on. */
export async function takenSlots(db: Db, school_id: number, gate_id: string, now: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('camera_binding')
    .select('gate_slot')
    .where('school_id', '=', school_id)
    .where('target_device_id', '=', gate_id)
    .where('bind_kind', '=', 'gate')
    .where(eb => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', now)]))
    .execute()
  return z.array(z.number()).parse(rows.map(row => row.gate_slot))
}

/** Ends these at a moment; what began in the same moment has never been. */
export async function endBindings(db: Db, school_id: number, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return
  await db.deleteFrom('camera_binding').where('school_id', '=', school_id).where('id', 'in', [...ids]).where('valid_from', '>=', now).execute()
  await db.updateTable('camera_binding').set({ valid_to: now }).where('school_id', '=', school_id).where('id', 'in', [...ids]).execute()
}
