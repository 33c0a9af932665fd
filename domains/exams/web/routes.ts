import { pages } from '@kit/web'

/** Screens of the exams domain. */
export const examsPages = pages({
  '/ExamManage': () => import('./manage/exam-manage.page.tsx'),
  '/ExamPlan': () => import('./plan/exam-plan.page.tsx'),
  '/ExamResult': () => import('./result/exam-result.page.tsx'),
})
