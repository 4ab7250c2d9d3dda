/** A request that is made up: sent again, it has the same key and the same body, and counts once. */
export interface Batch {
  /** Its idempotency key; in the order in which they were made. */
  id: string
  /** The address that it is for: pages of an origin may have several trackers. */
  to: string
  body: string
  /** When it was first sent, by the page's clock; from then on the service may have it. */
  tried?: number | undefined
  /** Whether its times are by the page's clock, since the service's was not known. */
  isOff?: boolean
}

/** Batches that outlive the page, as long as the browser lets them. */
export interface BatchStore {
  put(batch: Batch): void
  remove(id: string): void
  clear(): void
}

const STORE = 'batches'

/**
 * IndexedDB, or nothing where that is forbidden: then batches live as long as the page. What is asked for before it is
 * open waits; afterwards it is begun at once, which is what a page that goes away needs.
 */
export function openStore(to: string, tell: (kept: Batch[]) => void): BatchStore {
  let database: IDBDatabase | undefined
  const opening = new Promise<void>((resolve, reject) => {
    const request = indexedDB.open('marquee-tracker', 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'id' })
    request.onerror = reject
    request.onsuccess = () => {
      database = request.result
      resolve()
    }
  })

  /** What fails, because the browser has closed it or it is full, is still in memory and sent from there. */
  async function change(work: (batches: IDBObjectStore) => void): Promise<void> {
    try {
      if (!database) await opening
      const transaction = database!.transaction(STORE, 'readwrite')
      work(transaction.objectStore(STORE))
      // Otherwise it is done once the page has heard of it, and a page that goes away hears nothing.
      transaction.commit()
    } catch {}
  }

  change((batches) => {
    const request = batches.getAll()
    request.onsuccess = () => tell(request.result.filter((batch: Batch) => batch.to === to))
  })

  return {
    put: (batch) => change((batches) => batches.put(batch)),
    remove: (id) => change((batches) => batches.delete(id)),
    clear: () => change((batches) => batches.clear()),
  }
}
