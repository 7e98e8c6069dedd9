# SPDX-License-Identifier: MIT
"""Generates tokens with a small transformers model of random weights and the sampler of mluops.

First, a logits processor with the filter of mluops must keep the same tokens as transformers' own top-k and top-p at every
step. Then the sampler of mluops draws the tokens. Needs torch and transformers: prints SKIPPED without them.
"""
import sys

try:
    import torch
    import transformers
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(0)

import mluops.torch

TOP_K, TOP_P, STEPS = 20, 0.9, 24


class Filter(transformers.LogitsProcessor):
    """Top-k and top-p by one operator; counts the steps where transformers' own processors keep other tokens."""

    def __init__(self):
        self.theirs = (transformers.TopKLogitsWarper(TOP_K), transformers.TopPLogitsWarper(TOP_P))
        self.steps = self.different = 0

    def __call__(self, input_ids, scores):
        kept = mluops.torch.apply_top_k_top_p(scores, TOP_K, TOP_P)
        wanted = scores
        for warper in self.theirs:
            wanted = warper(input_ids, wanted)
        self.steps += 1
        self.different += not torch.equal(kept.isinf(), wanted.isinf())
        return kept


def draw_by_ourselves(model, ids, generator):
    """The generation loop, with the sampler in place of transformers' filters, softmax and multinomial."""
    for _ in range(STEPS):
        logits = model(ids).logits[:, -1].float()
        token = mluops.torch.top_k_top_p_sample(logits, TOP_K, TOP_P, generator=generator)
        ids = torch.cat((ids, token[:, None]), dim=1)
    return ids


def main():
    torch.manual_seed(1)
    config = transformers.GPT2Config(vocab_size=500, n_positions=64, n_embd=64, n_layer=2, n_head=4, bos_token_id=0,
                                     eos_token_id=None, pad_token_id=0)
    model = transformers.GPT2LMHeadModel(config).eval()
    prompt = torch.tensor([[1, 2, 3], [7, 8, 9]])
    ours = Filter()
    with torch.no_grad():
        text = model.generate(prompt, attention_mask=torch.ones_like(prompt), do_sample=True, top_k=0, top_p=1.0,
                              max_new_tokens=STEPS, logits_processor=transformers.LogitsProcessorList([ours]))
        first, again = (draw_by_ourselves(model, prompt, torch.Generator().manual_seed(4)) for _ in range(2))
    print("by generate():", text[0].tolist())
    print("by our sampler:", first[0].tolist())
    print(f"{ours.steps} steps, in {ours.different} of them other tokens kept than by transformers {transformers.__version__}")
    good = ours.steps == STEPS and ours.different == 0 and torch.equal(first, again) and first.shape == text.shape
    print("PASS" if good else "FAIL")
    return not good


if __name__ == "__main__":
    sys.exit(main())
