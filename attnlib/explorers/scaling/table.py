"""The scaling explorer where no script runs: five plain tables."""

from attnlib.explorers.framework.tables import both, format_number, symbol, table


def plain_table(explorer):
    """HTML of what a `ScalingExplorer` shows, in both languages."""
    n = explorer.numbers
    divisor = {"none": "1", "sqrt_d_k": f"√{symbol('d_k')}", "d_k": symbol("d_k")}
    settings = [
        (f"{both('features', '特征个数')} {symbol('d_k')}", str(explorer.d_k)),
        (f"{both('scores divided by', '分数除以')} {divisor[explorer.scaling]}", explorer.divisor),
        (symbol("μ_q"), format_number(explorer.mu_q, 2)),
        (symbol("μ_k"), format_number(explorer.mu_k, 2)),
        (symbol("σ_q"), format_number(explorer.sigma_q, 2)),
        (symbol("σ_k"), format_number(explorer.sigma_k, 2)),
        (symbol("ρ"), format_number(explorer.rho, 2)),
        (both("sample", "样本"), str(explorer.seed)),
    ]
    derived = [
        (both("mean", "均值"), explorer.mean, explorer.measured_mean),
        (both("variance", "方差"), explorer.variance, explorer.measured_variance),
        (both("standard deviation", "标准差"), explorer.sd, n["measured-sd"]),
        (
            both("the same within a row", "同一行内的标准差"),
            explorer.row_sd,
            explorer.measured_row_sd,
        ),
    ]
    row = [
        (str(j), *(n[f"{name}-{j}"] for name in ("sums", "scores", "weights", "reactions")))
        for j in range(1, len(explorer.scores) + 1)
    ]
    typical = [(str(rank), float(x)) for rank, x in enumerate(explorer.typical, start=1)]
    saturation = [
        (
            both("entropy, at most ln 8 = 2.079", "熵，最大 ln 8 = 2.079"),
            explorer.entropy,
            n["mean-entropy"],
        ),
        (
            both("size of the Jacobian of softmax", "Softmax 雅可比矩阵的大小"),
            explorer.jacobian_norm,
            n["mean-jacobian-norm"],
        ),
    ]
    normal = both("derived for normal features", "由正态特征推导")
    score, weight = "<i>s̃</i><sub>1<i>j</i></sub>", "<i>α</i><sub>1<i>j</i></sub>"
    return "\n".join(
        [
            table(both("Settings", "设置"), ["", both("value", "数值")], settings),
            table(
                both("800 scaled scores", "800 个缩放分数"),
                ["", normal, both("measured", "实测")],
                derived,
            ),
            table(
                both("One row: query 1 and its 8 keys", "其中一行：第 1 个查询与它的 8 个键"),
                [
                    both("key", "键") + " <i>j</i>",
                    f"{both('sum', '和')} <i>S</i><sub>1<i>j</i></sub>",
                    f"{both('score', '分数')} {score}",
                    f"{both('weight', '权重')} {weight}",
                    f"{both('reaction', '响应')} {weight}(1 − {weight})",
                ],
                row,
            ),
            table(
                both("A typical row: medians of 100 rows", "典型的一行：100 行的中位数"),
                [both("rank", "名次"), both("weight", "权重")],
                typical,
            ),
            table(
                both("Saturation", "饱和程度"),
                ["", both("this row", "这一行"), both("mean of 100 rows", "100 行平均")],
                saturation,
            ),
        ]
    )
