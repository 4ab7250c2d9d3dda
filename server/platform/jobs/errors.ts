/** The lease on a job ran out and another worker may have it, or the operator has dropped it: what is done for it now is in vain. */
export class LeaseLost extends Error {
  constructor() {
    super('the lease on the job was lost')
  }
}
