import { dict } from '@kit/contract'

/** States of an exam; 3 and 4 follow from the clock (chapter 55 §2.4). */
export const exam_states = { 0: '草稿', 1: '编排中', 2: '安排已发布', 3: '考试中', 4: '录分中', 5: '待审核', 6: '成绩已发布', 7: '已归档', 9: '已取消' } as const
export const EXAM_WAY = dict('EXAM_WAY', { '1': '笔试', '2': '口试', '3': '面试', '4': '操作', '5': '机考', '6': '大作业', '7': '实验报告', '9': '其他' })
/** What a score is when it is no number; 5 is a zero that was given on purpose (chapter 55 rule 33). */
export const score_words = { 1: '缺考', 2: '缓考', 3: '作弊', 4: '免考', 5: '零分' } as const
export const score_modes = { score: '分数', level: '等级' } as const
export const rank_modes = { none: '不公布', self_band: '本人排名区间', self_rank: '本人名次' } as const
export const absent_modes = { exclude: '不计入', zero: '按0分计' } as const
export const candidate_states = { 0: '参加', 1: '退出', 2: '缓考', 3: '免考' } as const
export const audience_names = { 1: '任课教师', 2: '班主任', 3: '学生本人与家长' } as const
/** Kinds of exams that close a term or its half: the only ones of compulsory schools. */
export const [mid_term, final_term] = ['20', '21'] as const
