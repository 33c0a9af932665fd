import { dict } from '@kit/contract'

/** What a post is (chapter 60 §0). 6 belongs to the collections, every other kind to the notices. */
export const NOTICE_KIND = dict('NOTICE_KIND', {
  '1': '学校通知', '2': '班级通知', '3': '作业', '4': '打卡', '5': '问卷调查', '6': '信息收集', '7': '家长会', '8': '缴费通知',
  '9': '安全提醒', '10': '放假通知', '11': '活动报名', '12': '食谱公布', '13': '成绩发布', '14': '失物招领', '99': '其他',
})
export const [homework_kind, checkin_kind, survey_kind, information_kind, safety_kind] = ['3', '4', '5', '6', '9'] as const

/** State of a post (chapter 60 §2.1). */
export const NOTICE_STATE = dict('NOTICE_STATE', {
  '0': '草稿', '1': '待审核', '2': '已发布', '3': '已撤回', '4': '已取消', '5': '已过期', '6': '审核驳回', '7': '待发布',
})
export const post_state = { draft: 0, waiting: 1, sent: 2, recalled: 3, cancelled: 4, expired: 5, rejected: 6, planned: 7 } as const

/** To whom a post is written. */
export const scene_names = { '1': '学生家长', '2': '教职工' } as const
/** Which edition of a collection. */
export const edition_names = { '1': '旧版', '2': '新版' } as const
/** What the reader gives back. */
export const reply_names = { '0': '不需要', '1': '确认已读', '2': '手写签名', '3': '填写表单', '4': '文字回复' } as const
export const reply = { none: 0, confirm: 1, sign: 2, form: 3, text: 4 } as const
/** When a family counts as having read (chapter 60 rule 4). */
export const parent_rules = { '1': '任一家长', '2': '每位家长', '3': '主要监护人' } as const
/** Whom a post to pupils and parents reaches. */
export const receiver_names = { '1': '学生和家长', '2': '仅家长', '3': '仅学生' } as const
export const role_names = { '1': '学生', '2': '家长', '3': '教职工' } as const
/** What a line of an audience names. */
export const target = { dept: 1, crowd: 2, tag: 4, person: 5 } as const
export const reach_reasons = { '1': '无账号', '2': '未绑定家长', '3': '未关注', '4': '发送失败', '5': '已停用' } as const

export const HONOUR_CLASS = dict('HONOUR_CLASS', {
  '1': '文明班级', '2': '卫生流动红旗', '3': '纪律流动红旗', '4': '两操流动红旗', '5': '学习标兵班', '6': '书香班级',
  '7': '优秀团支部', '8': '优秀中队', '9': '先进班集体', '10': '阳光体育先进班', '99': '其他',
})
export const HONOUR_DEPT = dict('HONOUR_DEPT', { '1': '先进教研组', '2': '先进年级组', '3': '优秀备课组', '4': '先进处室', '5': '文明食堂', '6': '平安单位', '99': '其他' })
/** Honours of one holder at a time. */
export const rotating_codes: readonly string[] = ['2', '3', '4']
export const honour_states = { '1': '有效', '2': '已撤销' } as const

/** Items of FILE_KIND that the libraries hold. */
export const resource_types = { '1': '图片', '2': '视频', '3': '文档' } as const
export const folder_words = { '1': '相册', '2': '相册', '3': '文件夹' } as const
export const resource_states = { '1': '就绪', '3': '回收站' } as const
