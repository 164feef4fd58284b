import {memo, type ReactElement} from 'react';
import {thinkingWords} from '../rows/thinking.ts';
import {BlockRows, type BlockProps} from './block-rows.tsx';
import {isSameBlock} from './same-block.ts';

/** The thoughts of the model: one row, the text in the detail view. */
export const ThinkingBlock = memo(function ThinkingBlock({block, rows, isContinued}: BlockProps<'thinking'>): ReactElement {
	return <BlockRows rows={rows} isContinued={isContinued} label={() => ({title: `Thinking: ${thinkingWords(block)}`})} />;
}, isSameBlock);
