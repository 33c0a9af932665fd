import { failures } from '@kit/contract'

/** User-facing failures of schools, navigation, dictionary and preferences. */
export const schoolErrors = failures('school', {
  prefTooLarge: [422, '个人设置内容过大，无法保存'],
  noModule: [403, '未配置功能模块'],
})
