import { registerApi, registerCoreApi, registerEntryApi, registerFieldApi, studentApi } from '@campus/people/contract'
import type { RegisterInfo } from '@campus/people/contract'
import { call, readStored, usePage } from '@kit/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'

const quiet = { quiet: true }

/** How both forms stand. */
export function useRegisterInfo(asked = true) {
  const { active } = usePage()
  const school_id = readStored('school_id') ?? ''
  return useQuery({ queryKey: [registerCoreApi.info.call], queryFn: ({ signal }) => call(registerCoreApi.info, { school_id }, { signal, ...quiet }), enabled: active && asked })
}

/** One form as it stands: open until when, or closed with which message. */
export type Switch = { is_open: boolean; end_time: string | null; msg: string | null }

/** The form of a scene, out of both. */
export function switchOf(info: RegisterInfo, scene: 1 | 2): Switch {
  return scene === 1
    ? { is_open: info.is_register, end_time: info.open_register_end_time, msg: info.register_msg }
    : { is_open: info.is_teacher_register, end_time: info.open_teacher_register_end_time, msg: info.teacher_register_msg }
}

/** Saves one form. @throws CallError */
export function useSaveSwitch(scene: 1 | 2, row_version: number): (next: Switch) => Promise<void> {
  const client = useQueryClient()
  return async ({ is_open, end_time, msg }) => {
    const saved = scene === 1
      ? await call(registerApi.openStudents, { is_register: is_open, open_register_end_time: end_time, register_msg: msg, row_version }, quiet)
      : await call(registerApi.openTeachers, { is_teacher_register: is_open, open_teacher_register_end_time: end_time, teacher_register_msg: msg, row_version }, quiet)
    client.setQueryData([registerCoreApi.info.call], saved)
  }
}

/** The fields a form asks. */
export function useRegisterFields(field_scene: number) {
  return useQuery({ queryKey: [registerFieldApi.list.call, field_scene], queryFn: async ({ signal }) => (await call(registerFieldApi.list, { field_scene }, { signal, ...quiet })).list })
}

/** After a decision the entries, the number of waiting ones and the roll are read again. */
export function useEntriesChanged(): () => void {
  const client = useQueryClient()
  return () => {
    for (const key of [registerEntryApi.page.call, registerCoreApi.info.call, studentApi.list.call]) void client.invalidateQueries({ queryKey: [key] })
  }
}

/** Where a form is filled in; `scene` is left out for pupils. */
export function addressOf(key: string, scene: 1 | 2): string {
  return `${window.location.origin}/InformationDialog?key=${key}${scene === 2 ? '&scene=2' : ''}`
}
