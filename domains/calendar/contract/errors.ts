import { failures } from '@kit/contract'

/** User-facing failures of the calendar (chapter 50 §2). */
export const calendarErrors = failures('calendar', {
  semesterOverlap: [409, '与「{name}」日期重叠，请调整起止日期'],
  semesterTaken: [409, '该学年学期已存在，请修改已有学期'],
  semesterInUse: [409, '学期正在使用：{list}，不能删除'],
  semesterOpen: [409, '学期未结束或仍有未完成事项，不能归档'],
  semesterClosed: [409, '学期已归档，请先取消归档'],
  semesterPast: [422, '开始日期之前已有上课记录，不能改动'],
  specialOverlap: [422, '该日期已设置「{name}」，请修改已有设置'],
  specialPast: [422, '不能改动今天之前的日期，请使用“更正”并填写原因'],
  followNotSchoolDay: [422, '所跟随的{date}不是教学日，请选择学期内的周一至周五'],
  followChain: [422, '不能跟随另一个调休日'],
  outsideTerm: [422, '日期不在任何学期内，请先设置学期'],
  nationalUnknown: [422, '国务院尚未公布或系统未更新，请手工设置'],
  bellOverlap: [409, '「{a}」与「{b}」时间重叠'],
  bellOrder: [422, '结束时间必须晚于开始时间'],
  bellSectionTwice: [422, '第{n}节重复，请修改节次'],
  bellNameTaken: [409, '作息名称已存在，请换一个名称'],
  bellInUse: [409, '作息正在使用，请新建后切换'],
  bellGap: [422, '{grade}在{date}没有作息'],
  staleRow: [409, '数据已被他人修改，请核对差异后再保存'],
})
