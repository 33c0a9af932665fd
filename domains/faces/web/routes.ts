import { pages } from '@kit/web'

/** Screens of the faces domain; the three lists are one page. */
export const facesPages = pages({
  '/FaceManagement': () => import('./face-people.page.tsx').then(part => ({ default: part.StudentFaces })),
  '/TeacherFace': () => import('./face-people.page.tsx').then(part => ({ default: part.TeacherFaces })),
  '/ParentFace': () => import('./face-people.page.tsx').then(part => ({ default: part.ParentFaces })),
})
