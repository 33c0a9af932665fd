import { dict } from '@kit/contract'

/** The state of somebody's face as it is shown; computed, never stored (chapter 40 §2.2). */
export const FACE_STATE = dict('FACE_STATE', {
  '0': '未采集', '1': '待检测', '3': '检测失败', '4': '待授权', '5': '已授权', '6': '已下发', '7': '下发失败', '8': '已拒绝',
})

/** Why a picture is not taken (chapter 40 rules 26, 27), in the order in which they are judged. */
export const FACE_ERROR = dict('FACE_ERROR', {
  format: '图片格式错误', no_face: '未检测到人脸', many_faces: '检测到多张人脸', too_small: '人脸过小', angle: '角度过大', dark: '光线过暗', bright: '光线过亮', blurred: '人脸模糊', covered: '人脸遮挡',
  duplicate: '与他人照片重复', denied: '本人否认',
})
/** What a picture itself may be refused for. */
export type FaceError = Exclude<(typeof FACE_ERROR.codes)[number], 'denied'>

/** Passed, failed, unverified. */
export const detect_states = { '2': '通过', '3': '失败', '4': '未验证' } as const
export const face_sources = { '1': '摄像头', '2': '文件', '3': '批量导入', '4': '设备抓拍', '5': '本人手机', '6': '档案照片' } as const
export const consent_names = { none: '未询问', asked: '等待答复', given: '已同意', refused: '已拒绝', paper: '纸质待复核' } as const
export type ConsentWord = keyof typeof consent_names
/** Lines of the ledger of consents. */
export const consent_acts = { '1': '同意', '2': '不同意', '3': '撤回', '4': '请求授权', '5': '到期' } as const
export const consent_scenes = { '5': '工作人员发起', '6': '本人手机', '7': '监护人手机', '8': '纸质', '9': '系统' } as const
export const erasure_causes = { '1': '撤回授权', '2': '不同意', '3': '人工删除', '4': '离校', '5': '超期', '6': '更换照片', '7': '学校停用' } as const
/** What became of a picture of a batch; the lanes add up to the batch. */
export const lane_names = {
  done: '成功', same: '照片未变', skipped: '已有人脸，跳过', no_person: '无此人', upload: '上传失败', not_face: '不是人脸', poor: '质量不合格', unverified: '待验证',
} as const
export type Lane = keyof typeof lane_names
export const strictness_names = { '1': '宽松', '2': '标准', '3': '严格' } as const
