import { DeptId } from '@campus/people/contract'
import {
  api,
  choice,
  count,
  Day,
  dictionaryCode,
  distinct,
  exportOf,
  filter,
  flag,
  get,
  id,
  Instant,
  keyword,
  list,
  page,
  rate,
  report,
  sum,
} from '@kit/contract'
import { z } from 'zod'
import { NOTICE_KIND, scene_names } from './dictionary.ts'
import { postList, PostRow } from './post.ts'

const n = z.number().int()
export const inform_groups = { week: '周', kind: '类型', author: '发布人', dept: '班级/部门' } as const
export type InformGroup = keyof typeof inform_groups

/** 通知统计: what was sent and how it was read, by week, kind, author or class (chapter 60 §5). Figures are units: a family or a person. */
export const informReport = report({
  title: '通知统计',
  keys: {
    group_name: { label: '分组', width: 160, value: z.string().nullable() },
    group_id: { label: '', value: z.string(), hidden: true },
  },
  measures: {
    posts: distinct('通知', '条'),
    expected: count('应读', '户/人'),
    read: sum('已读', '户/人'),
    read_rate: rate('已读率', 'read', 'expected'),
    submitted: sum('已提交', '户/人'),
    unreachable: sum('未触达', '户/人'),
    median: distinct('用时中位', '分钟'),
  },
  filters: { by: choice('分组', inform_groups), scene: choice('对象', scene_names), kind: choice('类型', NOTICE_KIND.names) },
  range: { most_days: 366, usual: 'month' },
})

/** 作业统计 by subject and class. */
export const homeworkReport = report({
  title: '作业统计',
  keys: {
    subject: { label: '学科', width: 104, dictionary: 'SUBJECT', value: z.string().nullable() },
    dept_name: { label: '班级', width: 140, value: z.string().nullable() },
    row_dept_id: { label: '', value: z.string(), hidden: true },
  },
  measures: {
    posts: distinct('作业', '次'),
    expected: count('应交', '人次'),
    read: sum('已读', '人次'),
    submitted: sum('已交', '人次'),
    rate: rate('提交率', 'submitted', 'expected'),
    late: sum('迟交', '人次'),
  },
  filters: { subject: dictionaryCode('学科', 'SUBJECT') },
  range: { most_days: 186, usual: 'week' },
})

/** One homework of one class with the time it takes; `over_by` is what it went over the limit. */
export const HomeworkRow = z.object({
  key: z.string(),
  post_id: id('publishing.post'),
  title: z.string(),
  subject: z.string().nullable(),
  author_name: z.string().nullable(),
  dept_name: z.string(),
  day: Day,
  minutes: n,
  day_minutes: n,
  over_by: n,
  override_reason: z.string().nullable(),
  sent_at: Instant.nullable(),
})
export type HomeworkRow = z.output<typeof HomeworkRow>
export const homeworkList = list({
  title: '作业布置记录',
  row: HomeworkRow,
  key: 'key',
  columns: {
    title: { label: '作业', width: 220 },
    subject: { label: '学科', width: 96, dictionary: 'SUBJECT' },
    dept_name: { label: '班级', width: 120 },
    day: { label: '截止日期', width: 104, kind: 'day' },
    minutes: { label: '预计用时（分钟）', width: 120, kind: 'number' },
    day_minutes: { label: '当日合计（分钟）', width: 120, kind: 'number' },
    over_by: { label: '超过上限（分钟）', width: 120, kind: 'number' },
    override_reason: { label: '超时理由', width: 180 },
    author_name: { label: '布置人', width: 96 },
    sent_at: { label: '布置时间', width: 140, kind: 'instant' },
  },
  filters: { keyword: keyword('作业/班级/布置人'), over: flag('上限', { 1: '超过上限', 0: '未超过' }) },
})

/** Classes against days: minutes of homework that are due, and the limit of the class (null: none, 0: written homework is not set). */
export const HomeworkLoad = z.object({
  days: z.array(Day),
  classes: z.array(z.object({ dept_id: DeptId, dept_name: z.string(), limit: n.nullable(), minutes: z.array(n) })),
})
export const most_load_days = 31

const inform = (verb: string) => ({ need: `publishing.inform.${verb}`, within: 'audience' as const })
const homework = (verb: string) => ({ need: `publishing.homework.${verb}`, within: 'audience' as const })

/** Statistics of notices (chapter 60 §4.1). */
export const informApi = api('web', 'publishing.inform', {
  notice: get('inform/notice', { query: informReport.query, reply: informReport.reply, ...inform('view') }),
  export: exportOf(informReport.sheet, 'inform/notice/export', inform('export')),
})

/** Statistics of homework and the load meter (chapter 60 §4.1, rule 20). */
export const homeworkApi = api('v2', 'publishing.homework', {
  list: get('homework/list', { query: homeworkList.query, reply: page(HomeworkRow), ...homework('view') }),
  report: get('homework/report', { query: homeworkReport.query, reply: homeworkReport.reply, ...homework('view') }),
  load: get('homework/load', {
    query: z.object({ dept_id: filter(DeptId), begin_date: Day, end_date: Day }),
    reply: HomeworkLoad,
    ...homework('view'),
  }),
  export: exportOf(homeworkReport.sheet, 'homework/report/export', homework('export')),
})

/** Who has answered, by post and class: for what is asked of everybody and answered once. */
function answerReport(title: string, word: string) {
  return report({
    title,
    keys: {
      title: { label: word, width: 220, value: z.string().nullable() },
      dept_name: { label: '班级/部门', width: 140, value: z.string().nullable() },
      post_id: { label: '', value: z.string(), hidden: true },
      row_dept_id: { label: '', value: z.string(), hidden: true },
    },
    measures: {
      posts: distinct(word, '次'),
      expected: count('应提交', '户/人'),
      read: sum('已读', '户/人'),
      submitted: sum('已提交', '户/人'),
      rate: rate('提交率', 'submitted', 'expected'),
      late: sum('迟交', '户/人'),
    },
    filters: { scene: choice('对象', scene_names) },
    range: { most_days: 186, usual: 'month' },
  })
}

export const checkinList = postList('打卡')
export const surveyList = postList('问卷调查')
export const checkinReport = answerReport('打卡统计', '打卡')
export const surveyReport = answerReport('问卷统计', '问卷')

/** Check-ins that were sent, and who has answered them (chapter 60 §4.1). */
export const checkinApi = api('v2', 'publishing.checkin', {
  list: get('checkin/list', { query: checkinList.query, reply: page(PostRow), ...homework('view') }),
  report: get('checkin/report', { query: checkinReport.query, reply: checkinReport.reply, ...homework('view') }),
  export: exportOf(checkinReport.sheet, 'checkin/report/export', homework('export')),
})

/** Surveys that were sent, and who has answered them; what was answered is read in each one's own figures (chapter 60 §4.1). */
export const surveyApi = api('v2', 'publishing.survey', {
  list: get('survey/list', { query: surveyList.query, reply: page(PostRow), ...inform('view') }),
  report: get('survey/report', { query: surveyReport.query, reply: surveyReport.reply, ...inform('view') }),
  export: exportOf(surveyReport.sheet, 'survey/report/export', inform('export')),
})
