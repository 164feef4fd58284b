/** What is made from the text of `--help`, which the entry has. */
export {completions} from './completions.ts';
export {manual} from './manual.ts';
export {readUsage} from './usage.ts';
