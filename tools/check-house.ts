import { report, runCheck } from './finding.ts'
import { surveyHouse } from './house/survey.ts'

await runCheck('house', () => {
  const { files, findings } = surveyHouse('.')
  return report('house', `${files} files`, findings)
})
