/** Everything that is made from the table of the subcommands. */
export {completions} from './completions.ts';
export {helpText} from './usage.ts';
export {manual} from './manual.ts';
