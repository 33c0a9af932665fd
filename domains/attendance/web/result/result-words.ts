import {
  studentDetailApi,
  studentGatherApi,
  studentOriginalApi,
  teacherDetailApi,
  teacherGatherApi,
  teacherOriginalApi,
} from '@campus/attendance/contract'

export const detail_apis = { student: studentDetailApi, teacher: teacherDetailApi } as const
export const gather_apis = { student: studentGatherApi, teacher: teacherGatherApi } as const
export const original_apis = { student: studentOriginalApi, teacher: teacherOriginalApi } as const

/** Colours of the ten states; the word always stands beside the colour. */
export const state_colors: Readonly<Record<number, string>> = {
  1: 'green',
  2: 'orange',
  3: 'orange',
  4: 'red',
  5: 'blue',
  6: 'default',
  7: 'cyan',
  8: 'geekblue',
  9: 'default',
  10: 'purple',
}
export const correction_colors: Readonly<Record<number, string>> = { 0: 'orange', 1: 'green', 2: 'red', 3: 'default' }

/** Where the rows behind a number are shown. */
export const personal_paths = { student: '/PersonalDetailStudent', teacher: '/PersonalDetailTeacher' } as const
