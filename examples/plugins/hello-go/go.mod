module example/hello

go 1.24
