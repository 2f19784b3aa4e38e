import { execFileSync } from 'node:child_process';

/**
 * Prints the rows of every statement that has some. It runs all scripts of a JSON array in one process, because Spark starts slowly. It
 * switches off several partitions, adaptive plans and compiled queries: for thousands of rows they cost more than they save.
 */
const PROGRAM = `
import json, sys
from pyspark.sql import SparkSession
spark = (SparkSession.builder.master('local[2]').config('spark.ui.enabled', 'false').config('spark.sql.session.timeZone', 'UTC')
  .config('spark.sql.shuffle.partitions', '1').config('spark.sql.adaptive.enabled', 'false')
  .config('spark.sql.codegen.wholeStage', 'false').config('spark.sql.codegen.factoryMode', 'NO_CODEGEN').getOrCreate())
answers = []
for statements in json.load(sys.stdin):
  rows = []
  for statement in statements:
    found = spark.sql(statement)
    if statement.lstrip().startswith(('select', 'with')):
      rows += [[str(field) for field in row] for row in found.collect()]
  answers.append(rows)
print(json.dumps(answers))
`;

/** Returns Spark's answers to each list of statements. `python` is an interpreter with pyspark. */
export function askSpark(python: string, scripts: readonly (readonly string[])[]): readonly (readonly (readonly string[])[])[] {
  const printed = execFileSync(python, ['-c', PROGRAM], {
    input: JSON.stringify(scripts),
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
    maxBuffer: 1 << 28,
  });
  return JSON.parse(printed.trim().split('\n').at(-1) ?? '[]') as readonly (readonly (readonly string[])[])[];
}
