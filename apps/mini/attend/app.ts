import {
  alertApi,
  appealApi,
  attendLocationApi,
  attendSignApi,
  clockApi,
  correctionApi,
  myAttendApi,
  rollcallApi,
  studentDetailApi,
} from '@campus/attendance/contract'
import { subAppApi } from '@campus/identity/contract'
import { app } from '../shell/app.ts'

const own = { subjects: myAttendApi.subjects, month: myAttendApi.month, day: myAttendApi.day, appeal: appealApi.add }
const signs = { sign: attendSignApi.add, signHere: attendLocationApi.add }
const roll = { lessons: rollcallApi.today, roll: rollcallApi.read, submitRoll: rollcallApi.submit }
const wall = { slots: clockApi.now, tiles: clockApi.page, ofClass: clockApi.ofClass, why: studentDetailApi.row }
const requests = { requests: correctionApi.page, approve: correctionApi.approve, reject: correctionApi.reject }
/** Every page calls by these names; a sub-application may make those of its manifest only. */
export const attend_calls = {
  ...own,
  ...roll,
  ...wall,
  ...requests,
  correct: correctionApi.add,
  alerts: alertApi.page,
  ack: alertApi.ack,
  ...signs,
  end: subAppApi.leave,
}
const roll_feature = { code: 'roll', need: 'attendance.rollcall.take' }
const correct_feature = { code: 'correct', need: 'attendance.correct.create' }
const class_feature = { code: 'class', need: 'attendance.clock.view' }

/** 教职工考勤: one's own days with why, signing in by the code or the position of a place, asking for a correction (chapter 80 §5, 6). */
export const cloudAttend = app({
  code: 'cloudAttend',
  audience: ['staff'],
  calls: { ...own, ...signs, end: subAppApi.leave },
  pages: ['今天', '月历', '补卡申请'],
  features: [],
})

/** 学生考勤: the roll of my lesson, my class today; a family sees the days of its child and objects (chapter 80 §5, 7). */
export const cloudStudentAttend = app({
  code: 'cloudStudentAttend',
  audience: ['everybody'],
  calls: { ...own, ...roll, ...wall, ...signs, correct: correctionApi.add, end: subAppApi.leave },
  pages: ['我的课', '点名', '班级打卡', '学生月历', '申诉'],
  features: [roll_feature, class_feature, correct_feature],
})

/** 考勤管理: classes of today, their roll, requests and alerts (chapter 80 §5, 20). */
export const attendManage = app({
  code: 'attendManage',
  audience: ['staff'],
  calls: { ...roll, ...wall, ...requests, correct: correctionApi.add, alerts: alertApi.page, ack: alertApi.ack, end: subAppApi.leave },
  pages: ['班级今日', '点名', '补卡与申诉', '预警'],
  features: [
    roll_feature,
    class_feature,
    correct_feature,
    { code: 'requests', need: 'attendance.correct.approve' },
    { code: 'alerts', need: 'attendance.alert.view' },
  ],
})
