import { DeptId, UserId } from '@campus/people/contract'
import { api, carried, exportOf, Instant, list } from '@kit/contract'
import { z } from 'zod'
import { ExamId } from './exam.ts'

const PlanLine = z.object({
  row_key: z.string(), exam_name: z.string(), session_name: z.string(), begin_at: Instant, room_number: z.number().int(),
    place_name: z.string(),
  seat: z.number().int(), exam_no: z.string().nullable(), student_no: z.string(), user_name: z.string(), dept_name: z.string(),
    watchers: z.string(),
})
/** Who sits where, as a sheet. */
export const planSheet = list({
  title: '考场安排', unit: '人次', row: PlanLine, key: 'row_key', is_about_people: true,
  columns: {
    exam_name: { label: '考试名称' }, session_name: { label: '场次' }, begin_at: { label: '开始时间', kind: 'instant' },
    room_number: { label: '考场号', kind: 'number' }, place_name: { label: '考场名称' }, seat: { label: '座位号', kind: 'number' },
    exam_no: { label: '考号' }, student_no: { label: '学号' }, user_name: { label: '姓名' }, dept_name: { label: '班级' },
      watchers: { label: '监考教师' },
  },
  filters: { exam_id: carried('', ExamId) },
})

const ScoreLine = z.object({
  row_key: z.string(), user_id: UserId, exam_name: z.string(), dept_name: z.string(), student_no: z.string(), user_name: z.string(),
    subject: z.string(),
  text: z.string(), assigned: z.number().nullable(), total: z.number().nullable(), rank_class: z.number().int().nullable(),
  rank_grade: z.number().int().nullable(), exported: z.string(),
})
/** Results, one line a pupil and subject; each line says who has exported it and when (chapter 55 rule 23). */
export const scoreSheet = list({
  title: '考试成绩', unit: '条', row: ScoreLine, key: 'row_key', is_about_people: true,
  columns: {
    exam_name: { label: '考试名称' }, dept_name: { label: '班级' }, student_no: { label: '学号' }, user_name: { label: '姓名' },
    subject: { label: '科目', dictionary: 'SUBJECT' }, text: { label: '成绩' }, assigned: { label: '赋分', kind: 'number' },
    total: { label: '总分', kind: 'number' }, rank_class: { label: '班名次', kind: 'number' }, rank_grade: { label: '年级名次', kind: 'number' },
    exported: { label: '导出人和时间' },
  },
  filters: { exam_id: carried('', ExamId), dept_id: carried('', DeptId) },
})

/** Sheets of plans and results (chapter 55 §6). */
export const examSheetApi = api('v2', 'exams.sheet', {
  plan: exportOf(planSheet, 'exam/plan/export', { need: 'exams.plan.view' }),
  score: exportOf(scoreSheet, 'exam/score/export', { need: 'exams.score.export', within: 'dept' }),
})
