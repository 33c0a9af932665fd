/** What the screens of exams ask of the console, which knows accounts and sessions; filled at start. */
type ExamsPorts = {
  /** proof of the own password typed again, for a publication; throws CallError */
  recheck: (password: string) => Promise<string>
}

let ports: ExamsPorts = { recheck: () => Promise.reject(new Error('the screens of exams are not connected')) }

/** Connects the screens of exams to the product; called once before anything renders. */
export function connectExams(given: ExamsPorts): void {
  ports = given
}

/** The connected ports. */
export function examsPorts(): ExamsPorts {
  return ports
}
