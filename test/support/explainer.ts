import type { Sql } from '../../server/platform/postgres/client.ts'

/** Explains queries before they are run, and keeps the plans. Parts of queries are as they were. */
export function explainer(sql: Sql) {
  const plans: string[] = []
  const ask = (strings: TemplateStringsArray, ...values: never[]) => {
    if (!/^\s*(select|with)\b/.test(strings[0]!)) return sql(strings, ...values)
    const texts = [`explain ${strings[0]}`, ...strings.slice(1)]
    const asked = sql(Object.assign(texts, { raw: texts }) as never, ...values)
    return asked.then((rows) => {
      plans.push(rows.map((row) => Object.values(row)[0]).join('\n'))
      return sql(strings, ...values)
    })
  }
  return { sql: Object.assign(ask, { unsafe: sql.unsafe, json: sql.json }) as unknown as Sql, plans }
}
